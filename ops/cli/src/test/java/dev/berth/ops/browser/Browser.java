package dev.berth.ops.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Sends what a browser sends. Bytes on a socket: a library does not let the host be chosen. */
public final class Browser {
  private final URI url;
  private final SocketFactory sockets;

  private Browser(URI url, SocketFactory sockets) {
    this.url = url;
    this.sockets = sockets;
  }

  /** One that is shown a page over plain HTTP. */
  public static Browser at(String url) {
    return new Browser(URI.create(url), SocketFactory.getDefault());
  }

  /** One that is shown a page over TLS. */
  public static Browser trusting(String url, Path certificate) {
    try (InputStream pem = Files.newInputStream(certificate)) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "door", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return new Browser(URI.create(url), context.getSocketFactory());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What it names as its host. */
  public String host() {
    return url.getAuthority();
  }

  /** Where it says that its pages are from. */
  public String origin() {
    return url.getScheme() + "://" + host();
  }

  /** Sends a form, or asks for a page. */
  public Answer send(String method, String path, String form, String... headers)
      throws IOException {
    String[] all = new String[headers.length + 2];
    all[0] = "Host: " + host();
    all[1] = "Content-Type: application/x-www-form-urlencoded";
    System.arraycopy(headers, 0, all, 2, headers.length);
    return raw(method, path, form, all);
  }

  /** Sends these headers and no others. */
  public Answer raw(String method, String path, String body, String... headers) throws IOException {
    try (Socket socket = sockets.createSocket(url.getHost(), url.getPort())) {
      String request =
          "%s %s HTTP/1.1\r\n%s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(method, path, String.join("\r\n", headers), body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      List<String> head =
          reader.lines().takeWhile(line -> !line.isEmpty()).collect(Collectors.toList());
      String rest = reader.lines().map(line -> line + "\n").collect(Collectors.joining());
      return new Answer(Integer.parseInt(head.get(0).split(" ", -1)[1]), head, rest);
    }
  }

  /** What came back. */
  public record Answer(int status, List<String> headers, String body) {
    /** The first header of a name, in lower case; empty when there is none. */
    public String header(String name) {
      return headers.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ": "))
          .map(line -> line.substring(name.length() + 2))
          .findFirst()
          .orElse("");
    }
  }
}
