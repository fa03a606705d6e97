package dev.berth.workers.csi;

import dev.berth.workers.config.TlsConfig;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads the PEM files of an endpoint. gRPC says of a file that it cannot use neither which one it
 * is nor what would help, so each is looked at before.
 */
final class PluginTls {

  private static final String KEY = "-----BEGIN PRIVATE KEY-----";

  private final TlsConfig config;

  private PluginTls(TlsConfig config) {
    this.config = config;
  }

  /**
   * Reads the files as they are now.
   *
   * @throws IllegalArgumentException naming the setting, the file and the remedy
   */
  static ChannelCredentials credentials(TlsConfig config) {
    return new PluginTls(config).credentials();
  }

  private ChannelCredentials credentials() {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    try {
      if (config.ca().isPresent()) {
        credentials.trustManager(stream(certificates("tls.ca", config.ca().get())));
      }
      if (config.identity().isPresent()) {
        TlsConfig.Identity identity = config.identity().get();
        credentials.keyManager(
            stream(certificates("tls.cert", identity.cert())),
            stream(key("tls.key", identity.key())));
      }
      return credentials.build();
    } catch (IOException e) {
      throw new IllegalStateException("what was read from memory cannot be read", e);
    }
  }

  private byte[] certificates(String setting, Path file) {
    byte[] pem = read(setting, file);
    try {
      if (!CertificateFactory.getInstance("X.509").generateCertificates(stream(pem)).isEmpty()) {
        return pem;
      }
    } catch (CertificateException e) {
      throw wrong(setting, file, "holds no certificate in PEM; give one that does", e);
    }
    throw wrong(setting, file, "is empty; give a file with certificates in PEM", null);
  }

  private byte[] key(String setting, Path file) {
    byte[] pem = read(setting, file);
    if (!new String(pem, StandardCharsets.US_ASCII).contains(KEY)) {
      throw wrong(
          setting,
          file,
          "holds no PKCS#8 key without password; make one with: openssl pkcs8 -topk8 -nocrypt",
          null);
    }
    return pem;
  }

  private byte[] read(String setting, Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw wrong(setting, file, "there is no such file; correct the path", e);
    } catch (IOException e) {
      throw wrong(
          setting, file, "cannot be read (%s); let the worker's user read it".formatted(e), e);
    }
  }

  private static ByteArrayInputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes);
  }

  private IllegalArgumentException wrong(
      String setting, Path file, String what, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "plugins.%s.%s=%s: %s".formatted(config.name(), setting, file, what), cause);
  }
}
