package dev.berth.schemas.registry;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How to reach the registry, as read and checked from a flat configuration.
 *
 * <p>Keys are those of Confluent's clients:
 *
 * <ul>
 *   <li>{@code schema.registry.url}: one or more {@code http(s)://} URLs separated by commas, tried
 *       in turn; {@code mock://name} is a registry inside this JVM, shared by name, for tests;
 *   <li>{@code auto.register.schemas}: whether writing registers a schema that the registry does
 *       not have (default true). Where a registry is provisioned by somebody else, set false;
 *   <li>{@code basic.auth.*}, {@code bearer.auth.*}, {@code proxy.*}, {@code http.*} and {@code
 *       schema.registry.*}: handed to the client, with and without the prefix {@code
 *       schema.registry.}.
 * </ul>
 *
 * @param urls addresses in the order of preference, at least one
 * @param autoRegister whether writing may register schemas
 * @param client settings of Confluent's client; may hold secrets, therefore never printed
 */
public record RegistryConfig(List<String> urls, boolean autoRegister, Map<String, String> client) {

  /** Key of the registry's addresses. */
  public static final String URL = "schema.registry.url";

  /** Key of {@link #autoRegister}. */
  public static final String AUTO_REGISTER = "auto.register.schemas";

  private static final String PREFIX = "schema.registry.";
  private static final List<String> CLIENT_PREFIXES =
      List.of("basic.auth.", "bearer.auth.", "proxy.", "http.", "missing.");
  private static final Set<String> SCHEMES = Set.of("http", "https", "mock");

  /** The client's own 60 s would hold up a stream thread for longer than its group waits for it. */
  private static final Map<String, String> CLIENT_DEFAULTS =
      Map.of("http.connect.timeout.ms", "5000", "http.read.timeout.ms", "10000");

  /** Copies its collections. */
  public RegistryConfig {
    urls = List.copyOf(urls);
    client = Map.copyOf(client);
  }

  /**
   * Reads a flat configuration; keys that are not of the registry are ignored, so that the whole
   * configuration of a process can be given.
   *
   * @throws IllegalArgumentException naming key, value and remedy when a setting cannot be used
   */
  public static RegistryConfig parse(Map<String, ?> settings) {
    Map<String, String> client = clientSettings(settings);
    refuseOauth(client);
    requireSource(client, "basic.auth.user.info", "basic.auth.credentials.source", "USER_INFO");
    requireSource(client, "bearer.auth.token", "bearer.auth.credentials.source", "STATIC_TOKEN");
    return new RegistryConfig(urls(settings.get(URL)), flag(settings.get(AUTO_REGISTER)), client);
  }

  /** The addresses without user names and passwords, for messages and logs. */
  public String displayUrls() {
    return urls.stream().map(RegistryConfig::display).collect(joining(","));
  }

  @Override
  public String toString() {
    return "RegistryConfig[urls=" + displayUrls() + ", autoRegister=" + autoRegister + "]";
  }

  private static Map<String, String> clientSettings(Map<String, ?> settings) {
    Map<String, String> client = new LinkedHashMap<>(CLIENT_DEFAULTS);
    // Sorted, so that a key without the prefix beats the same key with it.
    Map<String, ?> sorted = new TreeMap<String, Object>(settings).descendingMap();
    sorted.forEach(
        (key, value) -> {
          if (value == null || key.equals(URL)) {
            return;
          }
          if (key.startsWith(PREFIX)) {
            client.put(key, value.toString());
            client.put(key.substring(PREFIX.length()), value.toString());
          } else if (CLIENT_PREFIXES.stream().anyMatch(key::startsWith)) {
            client.put(key, value.toString());
          }
        });
    return client;
  }

  private static List<String> urls(@Nullable Object value) {
    List<String> urls =
        value == null
            ? List.of()
            : List.of(value.toString().split(",")).stream()
                .map(String::strip)
                .filter(url -> !url.isEmpty())
                .toList();
    if (urls.isEmpty()) {
      throw new IllegalArgumentException(
          URL + " is not set: give the registry's address, for example http://127.0.0.1:8081");
    }
    urls.forEach(RegistryConfig::requireScheme);
    return urls;
  }

  private static void requireScheme(String url) {
    int end = url.indexOf("://");
    String scheme = end < 0 ? "" : url.substring(0, end).toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      throw new IllegalArgumentException(
          URL + "=" + display(url) + " has no known scheme: write http://host:port or https://…");
    }
  }

  private static boolean flag(@Nullable Object value) {
    String text = value == null ? "true" : value.toString().strip().toLowerCase(Locale.ROOT);
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              AUTO_REGISTER + "=" + value + " is neither true nor false: set one of them");
    };
  }

  /** The client's OAuth classes need Kafka internals that are gone; it would send no token. */
  private static void refuseOauth(Map<String, String> client) {
    String key = "bearer.auth.credentials.source";
    String source = client.getOrDefault(key, "");
    if (source.toUpperCase(Locale.ROOT).contains("OAUTHBEARER")) {
      throw new IllegalArgumentException(
          key
              + "="
              + source
              + " is not supported by this build: use STATIC_TOKEN or CUSTOM, or basic.auth");
    }
  }

  /** Without a source the client ignores the credentials and asks as a stranger. */
  private static void requireSource(
      Map<String, String> client, String credential, String sourceKey, String remedy) {
    if (client.containsKey(credential) && !client.containsKey(sourceKey)) {
      throw new IllegalArgumentException(
          credential + " is set, but " + sourceKey + " is not: set it to " + remedy);
    }
  }

  private static String display(String url) {
    return url.replaceFirst("://[^/@]*@", "://");
  }
}
