package dev.berth.ops.browser;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * Where a door is and what browsers call it. On the loopback it may be plain HTTP: what goes over
 * it does not leave the machine. Elsewhere a one-time token or a session would be read on the way,
 * so that it has TLS there or does not open.
 *
 * @param address what it listens on; port 0 takes a free one
 * @param host host of its URL, an IPv6 address in brackets
 * @param names hosts that requests may name, in lower case, without ports
 * @param tls what it shows browsers; empty for plain HTTP
 */
public record DoorPlace(
    InetSocketAddress address, String host, Set<String> names, Optional<SSLContext> tls) {
  private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

  /** The JDK's server reads it when the first one is made. */
  private static final String TIME_OF_REQUEST = "sun.net.httpserver.maxReqTime";

  /** Whoever sends slowly, or nothing, must not hold a thread for longer (seconds). */
  private static final String LONGEST_REQUEST = "10";

  /**
   * Keeps a copy.
   *
   * @throws IllegalArgumentException naming address and remedy when others could read along
   */
  public DoorPlace {
    names = Set.copyOf(names);
    if (tls.isEmpty() && !address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "%s: without TLS everybody on the way could read one-time tokens and sessions; give --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1"
              .formatted(address.getHostString()));
    }
  }

  /**
   * A place.
   *
   * @param listen address or name of this machine
   * @param port port; 0 takes a free one
   * @param hosts further names that browsers call it by
   * @param tls what it shows browsers; empty for plain HTTP
   * @throws IllegalArgumentException naming address and remedy when it is none of this machine, or
   *     others could read along
   */
  public static DoorPlace of(
      String listen, int port, List<String> hosts, Optional<SSLContext> tls) {
    String own = listen.contains(":") ? "[" + listen + "]" : listen;
    List<String> names = new ArrayList<>(LOOPBACK);
    names.add(own.toLowerCase(Locale.ROOT));
    hosts.forEach(host -> names.add(host.toLowerCase(Locale.ROOT)));
    return new DoorPlace(
        new InetSocketAddress(resolved(listen), port),
        tls.isPresent() && !hosts.isEmpty() ? hosts.get(0) : own,
        Set.copyOf(names),
        tls);
  }

  private static InetAddress resolved(String listen) {
    try {
      return InetAddress.getByName(listen);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "%s: the host is not known; write an address of this machine".formatted(listen), e);
    }
  }

  /** Takes it. */
  HttpServer server() throws IOException {
    if (System.getProperty(TIME_OF_REQUEST) == null) {
      System.setProperty(TIME_OF_REQUEST, LONGEST_REQUEST);
    }
    if (tls.isEmpty()) {
      return HttpServer.create(address, 0);
    }
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
    return server;
  }

  /**
   * Where that is for a browser.
   *
   * @param port that was taken
   */
  String url(int port) {
    return "%s://%s:%d/".formatted(tls.isEmpty() ? "http" : "https", host, port);
  }
}
