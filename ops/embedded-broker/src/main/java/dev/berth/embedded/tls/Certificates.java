package dev.berth.embedded.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A self-signed certificate for the loopback address and its key, made by the JDK's keytool.
 *
 * @param cert PEM file of the certificate
 * @param key PEM file of the key
 */
public record Certificates(Path cert, Path key) {

  private static final String PASSWORD = "changeit";

  /**
   * Makes one, valid for two days.
   *
   * @param directory where its files are put
   * @param name its common name (CN), and how the files' names begin
   * @throws UncheckedIOException when the files cannot be written, or keytool is not there
   */
  public static Certificates make(Path directory, String name) {
    Path store = directory.resolve(name + ".p12");
    try {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-alias",
                  name,
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=ip:127.0.0.1",
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  PASSWORD)
              .redirectErrorStream(true)
              .start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new IllegalStateException("keytool failed: " + said);
      }
      return export(directory, name, store);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Certificates export(Path directory, String name, Path store) throws IOException {
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return new Certificates(
          pem(
              directory.resolve(name + ".pem"),
              "CERTIFICATE",
              keys.getCertificate(name).getEncoded()),
          pem(
              directory.resolve(name + ".key"),
              "PRIVATE KEY",
              keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("what keytool made cannot be read", e);
    }
  }

  private static Path pem(Path file, String type, byte[] bytes) throws IOException {
    String text =
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(bytes), type);
    return Files.writeString(file, text);
  }
}
