package dev.berth.ops.config;

import dev.berth.ops.api.ApiTarget;
import dev.berth.streams.command.SecretReferences;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.ApiConfig.Address;
import dev.berth.streams.query.security.BearerToken;
import dev.berth.streams.query.security.PemFiles;
import dev.berth.streams.query.security.SecurityConfig;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads which instance of the query API is called, and how, from the sources of {@link
 * ConnectionSettings}.
 *
 * <table>
 * <caption>Keys</caption>
 * <tr><td>{@code api}</td><td>{@code host:port} (default: {@code api.advertised} or {@code
 *     api.listen} of an instance's file, else {@code 127.0.0.1:7070})</td></tr>
 * <tr><td>{@code api.token}</td><td>reference to a bearer token, {@code ${file:/path:key}}, {@code
 *     ${dir:/path:file}} or {@code ${env:NAME}}; the variable may hold the token itself</td></tr>
 * <tr><td>{@code api.token-file}</td><td>file that holds the bearer token and nothing
 *     else</td></tr>
 * <tr><td>{@code api.tls}</td><td>{@code true} for TLS; so it is when one of these is
 *     set</td></tr>
 * <tr><td>{@code api.tls.ca}</td><td>PEM file of the certificates from which that of the API must
 *     come (default: those that Java trusts)</td></tr>
 * <tr><td>{@code api.tls.certificate}, {@code api.tls.key}</td><td>PEM files that are shown to an
 *     API that asks for them (mTLS; PKCS#8 key)</td></tr>
 * <tr><td>{@code api.tls.name}</td><td>name that the API's certificate has, when it is not the host
 *     of {@code api}, as through a tunnel</td></tr>
 * </table>
 */
public final class ApiSettings {

  /** Key of the address. */
  public static final String API = SecurityConfig.API;

  /** Key of the reference to the token. */
  public static final String TOKEN = SecurityConfig.CLIENT_TOKEN;

  /** Key of the file that holds the token. */
  public static final String TOKEN_FILE = SecurityConfig.CLIENT_TOKEN_FILE;

  /** Key that says whether it is called over TLS. */
  public static final String TLS = SecurityConfig.CLIENT_TLS;

  /** Key of the name that the certificate must have. */
  public static final String TLS_NAME = SecurityConfig.CLIENT_TLS_NAME;

  /** All keys. */
  static final List<String> KEYS =
      List.of(
          API,
          TOKEN,
          TOKEN_FILE,
          TLS,
          SecurityConfig.CA,
          SecurityConfig.CERTIFICATE,
          SecurityConfig.KEY,
          TLS_NAME);

  /** What an instance of the Streams application says of its API; the file may be one of its. */
  private static final List<String> OF_INSTANCES = List.of("api.advertised", "api.listen");

  private final Map<String, String> settings;
  private final Map<String, String> environment;

  private ApiSettings(Map<String, String> settings, Map<String, String> environment) {
    this.settings = settings;
    this.environment = environment;
  }

  /**
   * Reads all sources, the files with certificates included.
   *
   * @param file properties file, if one was named
   * @param environment variables of the process
   * @param flags settings by key
   * @throws IllegalArgumentException naming setting and remedy when one is unknown or not usable,
   *     or when a token would be sent for everybody to read; repeats no token
   */
  public static ApiTarget read(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
    Map<String, String> settings = new TreeMap<>();
    for (Map<String, String> source : ConnectionSettings.sources(file, environment, flags)) {
      // One that is given in another way replaces that of an earlier source.
      if (source.containsKey(TOKEN) || source.containsKey(TOKEN_FILE)) {
        settings.keySet().removeAll(List.of(TOKEN, TOKEN_FILE));
      }
      source.forEach((key, value) -> settings.put(key, value.strip()));
    }
    settings.values().removeIf(String::isEmpty);
    return new ApiSettings(settings, environment).target();
  }

  private ApiTarget target() {
    Address address =
        Stream.concat(Stream.of(API), OF_INSTANCES.stream())
            .filter(settings::containsKey)
            .findFirst()
            .map(key -> Address.parse(key, settings.getOrDefault(key, "")))
            .orElse(ApiConfig.DEFAULT.listen());
    boolean encrypted = encrypted();
    BearerToken token = token();
    ApiTarget target =
        new ApiTarget(
            address,
            encrypted,
            encrypted ? credentials() : InsecureChannelCredentials.create(),
            Optional.ofNullable(settings.get(TLS_NAME)),
            token);
    if (token != null && !target.isPrivate()) {
      throw new IllegalArgumentException(
          "%s=%s: without TLS everybody on the way could read the token; set %s (the certificate that"
                  .formatted(API, address, SecurityConfig.CA)
              + " the API's comes from) or %s=true, or send no token".formatted(TLS));
    }
    return target;
  }

  private boolean encrypted() {
    List<String> given =
        Stream.of(SecurityConfig.CA, SecurityConfig.CERTIFICATE, SecurityConfig.KEY, TLS_NAME)
            .filter(settings::containsKey)
            .toList();
    return switch (settings.getOrDefault(TLS, given.isEmpty() ? "false" : "true")) {
      case "true" -> true;
      case "false" -> {
        if (!given.isEmpty()) {
          throw new IllegalArgumentException(
              "%s=false, and %s is set: remove one or the other".formatted(TLS, given.get(0)));
        }
        yield false;
      }
      default ->
          throw new IllegalArgumentException(
              "%s=%s: write true or false".formatted(TLS, settings.get(TLS)));
    };
  }

  private ChannelCredentials credentials() {
    Optional<Path> certificate = path(SecurityConfig.CERTIFICATE);
    Optional<Path> key = path(SecurityConfig.KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw new IllegalArgumentException(
          "%s is set without %s: give both, or none"
              .formatted(
                  certificate.isPresent() ? SecurityConfig.CERTIFICATE : SecurityConfig.KEY,
                  certificate.isPresent() ? SecurityConfig.KEY : SecurityConfig.CERTIFICATE));
    }
    return PemFiles.client(
        path(SecurityConfig.CA),
        certificate.map(file -> new PemFiles.Identity(file, key.orElseThrow())));
  }

  private Optional<Path> path(String key) {
    return Optional.ofNullable(settings.get(key)).map(Path::of);
  }

  private @Nullable BearerToken token() {
    String reference = settings.get(TOKEN);
    String file = settings.get(TOKEN_FILE);
    BearerToken token = null;
    if (reference != null && file != null) {
      throw new IllegalArgumentException(
          "%s and %s are both set: give one of them".formatted(TOKEN, TOKEN_FILE));
    } else if (file != null) {
      token = BearerToken.file(TOKEN_FILE, Path.of(file));
    } else if (reference != null) {
      token = token(reference);
    }
    if (token != null) {
      // What is wrong with it is better known now than in the answer to a call.
      token.token();
    }
    return token;
  }

  private BearerToken token(String text) {
    if (SecretReferences.isReference(text)) {
      return BearerToken.reference(TOKEN, text);
    }
    String variable = SettingNames.variable(TOKEN);
    // A variable is where a reference would lead to.
    if (text.equals(environment.getOrDefault(variable, "").strip())) {
      return BearerToken.given(variable, text);
    }
    // Not shown: it may be the token.
    throw new IllegalArgumentException(
        TOKEN
            + " is not a reference: never write the token itself, which others could read; write"
            + " ${file:/path:key} or ${env:NAME}, or name a file with "
            + TOKEN_FILE);
  }
}
