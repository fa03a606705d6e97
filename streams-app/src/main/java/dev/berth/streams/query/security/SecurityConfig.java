package dev.berth.streams.query.security;

import dev.berth.streams.command.SecretReferences;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the configuration says of the API's security. Holds names of files and references, never a
 * secret.
 *
 * @param tls how connections are encrypted; empty for not at all
 * @param tokens file of the callers, see {@link Callers}; empty: everybody on this machine may do
 *     everything
 * @param peerToken reference to the token that this instance shows the others, {@code
 *     ${provider:path:key}} with the providers {@code file}, {@code dir} and {@code env} of Kafka
 */
public record SecurityConfig(Optional<Tls> tls, Optional<Path> tokens, Optional<String> peerToken) {

  /** Key of the file of callers. */
  public static final String TOKENS = "api.tokens";

  /** Key of the reference to the token that instances show each other. */
  public static final String PEER_TOKEN = "api.peer-token";

  /** Key of the certificate. */
  public static final String CERTIFICATE = "api.tls.certificate";

  /** Key of the certificate's private key. */
  public static final String KEY = "api.tls.key";

  /** Key of the certificates that clients' certificates must come from. */
  public static final String CLIENT_CA = "api.tls.client-ca";

  /** Key of the certificates that the other instances' certificates must come from. */
  public static final String CA = "api.tls.ca";

  /** Key of the address that clients of the API call. */
  public static final String API = "api";

  /** Key of the reference to the token that a client shows. */
  public static final String CLIENT_TOKEN = "api.token";

  /** Key of the file that holds the token that a client shows. */
  public static final String CLIENT_TOKEN_FILE = "api.token-file";

  /** Key that says whether a client calls over TLS. */
  public static final String CLIENT_TLS = "api.tls";

  /** Key of the name that a client wants in the API's certificate. */
  public static final String CLIENT_TLS_NAME = "api.tls.name";

  /** Keys that clients of the API have for themselves; one environment may serve both. */
  public static final List<String> CLIENT_KEYS =
      List.of(API, CLIENT_TOKEN, CLIENT_TOKEN_FILE, CLIENT_TLS, CLIENT_TLS_NAME);

  /** All keys. */
  public static final List<String> KEYS =
      List.of(CERTIFICATE, KEY, CLIENT_CA, CA, TOKENS, PEER_TOKEN);

  /** Nothing is secured. */
  public static final SecurityConfig NONE =
      new SecurityConfig(Optional.empty(), Optional.empty(), Optional.empty());

  /**
   * Encryption.
   *
   * @param certificate PEM file of the certificate and those between it and its root; shown to
   *     clients, and to the other instances
   * @param key PEM file of its private key (PKCS#8, without password)
   * @param clientCa PEM file of the certificates from which that of every client must come; empty:
   *     clients need none
   * @param ca PEM file of the certificates from which those of the other instances must come; empty
   *     for those that Java trusts
   */
  public record Tls(Path certificate, Path key, Optional<Path> clientCa, Optional<Path> ca) {}

  /**
   * Reads the keys of {@link #KEYS}.
   *
   * @param settings settings by key; all others are passed over
   * @throws IllegalArgumentException naming key and remedy
   */
  public static SecurityConfig parse(Map<String, String> settings) {
    Map<String, String> given = new TreeMap<>();
    for (String key : KEYS) {
      String value = settings.getOrDefault(key, "").strip();
      if (!value.isEmpty()) {
        given.put(key, value);
      }
    }
    needs(given, KEY, CERTIFICATE, "the key is of no use without it");
    needs(given, CERTIFICATE, KEY, "the certificate is of no use without it");
    needs(given, CLIENT_CA, CERTIFICATE, "clients show certificates over TLS only");
    needs(given, CA, CERTIFICATE, "the instances speak TLS to each other when it is set");
    needs(given, CERTIFICATE, TOKENS, "TLS alone lets everybody do everything");
    needs(given, PEER_TOKEN, TOKENS, "nobody asks for tokens without it");
    return new SecurityConfig(
        Optional.ofNullable(given.get(CERTIFICATE)).map(certificate -> tls(given, certificate)),
        path(given, TOKENS),
        Optional.ofNullable(given.get(PEER_TOKEN)).map(SecurityConfig::reference));
  }

  private static Tls tls(Map<String, String> given, String certificate) {
    return new Tls(
        Path.of(certificate),
        path(given, KEY).orElseThrow(),
        path(given, CLIENT_CA),
        path(given, CA));
  }

  private static Optional<Path> path(Map<String, String> given, String key) {
    return Optional.ofNullable(given.get(key)).map(Path::of);
  }

  private static String reference(String text) {
    if (!SecretReferences.isReference(text)) {
      // Not shown: it may be the token.
      throw new IllegalArgumentException(
          PEER_TOKEN
              + " is not a reference: never give the token itself; write ${provider:path:key}, for"
              + " example ${file:/run/secrets/berth.properties:peer-token} or ${env:PEER_TOKEN}");
    }
    return text;
  }

  private static void needs(Map<String, String> given, String key, String other, String why) {
    if (given.containsKey(key) && !given.containsKey(other)) {
      throw new IllegalArgumentException(
          "%s is set without %s: %s; set both".formatted(key, other, why));
    }
  }
}
