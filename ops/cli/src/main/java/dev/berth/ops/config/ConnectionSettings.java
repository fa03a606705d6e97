package dev.berth.ops.config;

import dev.berth.producers.Connection;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topics;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Reads where Berth's topics are, the later source winning: a properties file, the environment
 * ({@code BERTH_BOOTSTRAP_SERVERS}), flags.
 *
 * <p>The keys are those of the Streams application, so that one file serves both: {@code
 * bootstrap.servers}, {@code topic.prefix}, the registry's ({@code schema.registry.*}, {@code
 * basic.auth.*}, {@code bearer.auth.*}, {@code proxy.*}, {@code auto.register.schemas}) and {@code
 * kafka.*} for Kafka's clients. What only the application uses is passed over; any other key is an
 * error.
 */
public final class ConnectionSettings {

  /** Key of the brokers. */
  public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  /** Key of the first part of the topics' names. */
  public static final String TOPIC_PREFIX = "topic.prefix";

  /** Key of the query API that commands call. */
  public static final String API = "api";

  /** What an instance of the Streams application says of its API; the file may be one of its. */
  private static final String API_ADVERTISED = "api.advertised";

  private static final String API_LISTEN = "api.listen";

  private static final String KAFKA = "kafka.";
  private static final List<String> REGISTRY =
      List.of("schema.registry.", "basic.auth.", "bearer.auth.", "proxy.", "auto.register.schemas");

  /** No connection to the topics needs these. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "application.id",
          "state.dir",
          "replication.factor",
          "standby.replicas",
          "threads",
          "group.protocol",
          "health.port",
          API,
          API_ADVERTISED,
          API_LISTEN,
          "api.tls.certificate",
          "api.tls.key",
          "api.tls.client-ca",
          "api.tls.ca",
          "api.tokens",
          "api.peer-token");

  private static final String POLICY = "policy.";
  private static final String VARIABLES = "BERTH_";

  /** Variables of the script {@code ops/bin/berth}. */
  private static final Set<String> OF_THE_SCRIPT = Set.of("BERTH_JAVA_OPTS");

  private ConnectionSettings() {}

  /**
   * Reads all sources.
   *
   * @param file properties file, if one was named
   * @param environment variables of the process; those that do not begin with {@code BERTH_} do not
   *     matter
   * @param flags settings by key
   * @throws IllegalArgumentException naming source, key and remedy when a setting is unknown,
   *     missing or not usable
   */
  public static Connection read(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
    Map<String, String> settings = new TreeMap<>();
    file.ifPresent(path -> settings.putAll(properties(path)));
    settings.putAll(variables(environment));
    flags.keySet().forEach(key -> requireKnown("--set", key, key));
    settings.putAll(flags);
    return connection(settings);
  }

  /**
   * Reads where the query API is: the variable {@code BERTH_API}, else the file's {@code api}, else
   * where the instance whose file it is has its own.
   *
   * @return {@code host:port} as it was written; empty when nothing says so
   * @throws IllegalArgumentException naming source, key and remedy when a setting is unknown
   */
  public static Optional<String> api(Optional<Path> file, Map<String, String> environment) {
    Map<String, String> settings = new TreeMap<>();
    file.ifPresent(path -> settings.putAll(properties(path)));
    settings.putAll(variables(environment));
    return Stream.of(API, API_ADVERTISED, API_LISTEN)
        .map(key -> settings.getOrDefault(key, "").strip())
        .filter(text -> !text.isEmpty())
        .findFirst();
  }

  private static Connection connection(Map<String, String> settings) {
    Map<String, String> registry = new TreeMap<>();
    Map<String, String> kafka = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(KAFKA)) {
            kafka.put(key.substring(KAFKA.length()), value);
          } else if (ofRegistry(key)) {
            registry.put(key, value);
          }
        });
    if (kafka.containsKey(BOOTSTRAP_SERVERS)) {
      throw new IllegalArgumentException(
          KAFKA + BOOTSTRAP_SERVERS + " cannot be set: write " + BOOTSTRAP_SERVERS);
    }
    String brokers = settings.getOrDefault(BOOTSTRAP_SERVERS, "").strip();
    if (brokers.isEmpty()) {
      throw missing(BOOTSTRAP_SERVERS, "--bootstrap-servers HOST:PORT");
    }
    if (registry.getOrDefault(RegistryConfig.URL, "").isBlank()) {
      throw missing(RegistryConfig.URL, "--registry http://HOST:PORT");
    }
    RegistryConfig.parse(registry);
    Topics topics = new Topics(settings.getOrDefault(TOPIC_PREFIX, Topics.DEFAULT_PREFIX).strip());
    return new Connection(brokers, registry, topics, kafka);
  }

  private static Map<String, String> properties(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("--config " + file + ": there is no such file", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--config " + file + " cannot be read as properties: " + e.getMessage(), e);
    }
    Map<String, String> settings = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      requireKnown(file.toString(), key, key);
      settings.put(key, properties.getProperty(key));
    }
    return settings;
  }

  private static Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> settings = new TreeMap<>();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (name.startsWith(VARIABLES) && !OF_THE_SCRIPT.contains(name)) {
                String key =
                    name.substring(VARIABLES.length()).toLowerCase(Locale.ROOT).replace('_', '.');
                requireKnown("environment", key, name);
                settings.put(key, value);
              }
            });
    return settings;
  }

  private static void requireKnown(String source, String key, String shown) {
    boolean known =
        key.equals(BOOTSTRAP_SERVERS)
            || key.equals(TOPIC_PREFIX)
            || ofRegistry(key)
            || key.startsWith(KAFKA)
            || OF_OTHERS.contains(key)
            || key.startsWith(POLICY);
    if (!known) {
      throw new IllegalArgumentException(
          "%s: unknown setting '%s': remove it or correct its spelling; known are %s, %s, %s and %s*"
              .formatted(
                  source,
                  shown,
                  BOOTSTRAP_SERVERS,
                  TOPIC_PREFIX,
                  String.join(", ", REGISTRY).replace(".,", ".*,"),
                  KAFKA));
    }
  }

  private static boolean ofRegistry(String key) {
    return REGISTRY.stream().anyMatch(key::startsWith);
  }

  private static IllegalArgumentException missing(String key, String flag) {
    return new IllegalArgumentException(
        "%s is not set: give %s, the variable %s, or the key in a file named by --config"
            .formatted(key, flag, variable(key)));
  }

  private static String variable(String key) {
    return VARIABLES + key.toUpperCase(Locale.ROOT).replace('.', '_');
  }
}
