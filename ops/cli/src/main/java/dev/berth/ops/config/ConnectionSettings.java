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
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Reads where Berth's topics are, the later source winning: a properties file, the environment
 * ({@code BERTH_BOOTSTRAP_SERVERS}), flags.
 *
 * <p>The keys are those of the Streams application, so that one file serves both: {@code
 * bootstrap.servers}, {@code topic.prefix}, the registry's ({@code schema.registry.*}, {@code
 * basic.auth.*}, {@code bearer.auth.*}, {@code proxy.*}, {@code auto.register.schemas}) and {@code
 * kafka.*} for Kafka's clients; those of {@link ApiSettings}. What only the application uses is
 * passed over; any other key is an error.
 */
public final class ConnectionSettings {

  /** Key of the brokers. */
  public static final String BOOTSTRAP_SERVERS = "bootstrap.servers";

  /** Key of the first part of the topics' names. */
  public static final String TOPIC_PREFIX = "topic.prefix";

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
    sources(file, environment, flags).forEach(settings::putAll);
    return connection(settings);
  }

  /**
   * The settings of each source by key, the later ones winning.
   *
   * @throws IllegalArgumentException naming source, key and remedy when a setting is unknown
   */
  static List<Map<String, String>> sources(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
    flags.keySet().forEach(key -> requireKnown("--set", key));
    return List.of(
        file.map(ConnectionSettings::properties).orElse(Map.of()), variables(environment), flags);
  }

  private static Connection connection(Map<String, String> settings) {
    Map<String, String> registry = new TreeMap<>();
    Map<String, String> kafka = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(SettingNames.KAFKA)) {
            kafka.put(key.substring(SettingNames.KAFKA.length()), value);
          } else if (SettingNames.ofRegistry(key)) {
            registry.put(key, value);
          }
        });
    if (kafka.containsKey(BOOTSTRAP_SERVERS)) {
      throw new IllegalArgumentException(
          SettingNames.KAFKA + BOOTSTRAP_SERVERS + " cannot be set: write " + BOOTSTRAP_SERVERS);
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
      requireKnown(file.toString(), key);
      settings.put(key, properties.getProperty(key));
    }
    return settings;
  }

  private static Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> settings = new TreeMap<>();
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              if (name.startsWith(SettingNames.VARIABLES)) {
                Optional<String> key = SettingNames.key(name);
                key.ifPresent(known -> settings.put(known, value));
                if (key.isEmpty() && !SettingNames.ofOthers(name)) {
                  throw unknown("environment", name);
                }
              }
            });
    return settings;
  }

  private static void requireKnown(String source, String key) {
    if (!SettingNames.known(key)) {
      throw unknown(source, key);
    }
  }

  private static IllegalArgumentException unknown(String source, String shown) {
    return new IllegalArgumentException(
        "%s: unknown setting '%s': remove it or correct its spelling; known are %s"
            .formatted(source, shown, SettingNames.text()));
  }

  private static IllegalArgumentException missing(String key, String flag) {
    return new IllegalArgumentException(
        "%s is not set: give %s, the variable %s, or the key in a file named by --config"
            .formatted(key, flag, SettingNames.variable(key)));
  }
}
