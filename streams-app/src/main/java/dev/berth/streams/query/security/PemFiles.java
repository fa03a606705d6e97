package dev.berth.streams.query.security;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and keys. gRPC says of a file that it cannot use neither which one it is nor
 * what would help, so each is looked at before.
 */
public final class PemFiles {
  private static final String KEY = "-----BEGIN PRIVATE KEY-----";

  private PemFiles() {}

  /**
   * How the API is offered.
   *
   * @throws IllegalArgumentException naming setting, file and remedy
   */
  static ServerCredentials server(SecurityConfig.Tls tls) {
    TlsServerCredentials.Builder credentials = TlsServerCredentials.newBuilder();
    try {
      credentials.keyManager(
          certificates(SecurityConfig.CERTIFICATE, tls.certificate()),
          key(SecurityConfig.KEY, tls.key()));
      if (tls.clientCa().isPresent()) {
        credentials
            .trustManager(certificates(SecurityConfig.CLIENT_CA, tls.clientCa().get()))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE);
      }
    } catch (IOException e) {
      throw new IllegalStateException("what was read from memory cannot be read", e);
    }
    return credentials.build();
  }

  /**
   * How this instance connects to the others: it shows them the certificate that it shows clients.
   *
   * @throws IllegalArgumentException naming setting, file and remedy
   */
  static ChannelCredentials peer(SecurityConfig.Tls tls) {
    return client(tls.ca(), Optional.of(new Identity(tls.certificate(), tls.key())));
  }

  /**
   * What a client shows of itself.
   *
   * @param certificate PEM file of the certificate and those between it and its root
   * @param key PEM file of its private key (PKCS#8, without password)
   */
  public record Identity(Path certificate, Path key) {}

  /**
   * How a client of the API connects to it.
   *
   * @param ca PEM file of the certificates from which that of the API must come; empty for those
   *     that Java trusts
   * @param identity what the client shows, where the API asks for it
   * @throws IllegalArgumentException naming setting, file and remedy; the settings are {@code
   *     api.tls.ca}, {@code api.tls.certificate} and {@code api.tls.key}
   */
  public static ChannelCredentials client(Optional<Path> ca, Optional<Identity> identity) {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    try {
      if (identity.isPresent()) {
        credentials.keyManager(
            certificates(SecurityConfig.CERTIFICATE, identity.get().certificate()),
            key(SecurityConfig.KEY, identity.get().key()));
      }
      if (ca.isPresent()) {
        credentials.trustManager(certificates(SecurityConfig.CA, ca.get()));
      }
    } catch (IOException e) {
      throw new IllegalStateException("what was read from memory cannot be read", e);
    }
    return credentials.build();
  }

  /**
   * What a server that is not gRPC's shows its clients.
   *
   * @param certificateSetting how the certificate was given, for complaints
   * @param keySetting how its key was given, likewise
   * @throws IllegalArgumentException naming setting, file and remedy
   */
  public static SSLContext server(Identity identity, String certificateSetting, String keySetting) {
    ByteArrayInputStream pem = certificates(certificateSetting, identity.certificate());
    String key =
        new String(key(keySetting, identity.key()).readAllBytes(), StandardCharsets.US_ASCII);
    char[] none = new char[0];
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(pem)
              .toArray(Certificate[]::new);
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, none);
      store.setKeyEntry("server", privateKey(key, chain[0]), none, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (IOException e) {
      throw new IllegalStateException("an empty key store cannot be made", e);
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw wrong(
          keySetting,
          identity.key(),
          "is not the key of %s=%s; give the one that belongs to it"
              .formatted(certificateSetting, identity.certificate()),
          e);
    }
  }

  private static PrivateKey privateKey(String pem, Certificate certificate)
      throws GeneralSecurityException {
    String encoded = pem.substring(pem.indexOf(KEY) + KEY.length()).split("-----", 2)[0];
    return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(encoded)));
  }

  private static ByteArrayInputStream certificates(String setting, Path file) {
    byte[] pem = read(setting, file);
    try {
      if (!CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem))
          .isEmpty()) {
        return new ByteArrayInputStream(pem);
      }
    } catch (CertificateException e) {
      throw wrong(setting, file, "holds no certificate in PEM; give one that does", e);
    }
    throw wrong(setting, file, "is empty; give a file with certificates in PEM", null);
  }

  private static ByteArrayInputStream key(String setting, Path file) {
    byte[] pem = read(setting, file);
    if (!new String(pem, StandardCharsets.US_ASCII).contains(KEY)) {
      throw wrong(
          setting,
          file,
          "holds no PKCS#8 key without password; make one with: openssl pkcs8 -topk8 -nocrypt",
          null);
    }
    return new ByteArrayInputStream(pem);
  }

  private static byte[] read(String setting, Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw wrong(setting, file, "there is no such file; correct the path", e);
    } catch (IOException e) {
      throw wrong(setting, file, "cannot be read (%s); let Berth's user read it".formatted(e), e);
    }
  }

  private static IllegalArgumentException wrong(
      String setting, Path file, String what, @Nullable Exception cause) {
    return new IllegalArgumentException("%s=%s: %s".formatted(setting, file, what), cause);
  }
}
