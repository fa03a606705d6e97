package dev.berth.workers.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Where a worker's settings come from, the later winning: a properties file, the environment
 * ({@code BERTH_BOOTSTRAP_SERVERS}), the command line.
 */
public final class SettingSources {

  private static final String VARIABLES = "BERTH_";

  /** Read by the command that starts the process, which has the log: see WorkerConfig. */
  static final String LOG_FORMAT = "log.format";

  /** Keys with a fixed name. Those of plugins hold names, which variables cannot. */
  private static final List<String> KEYS =
      List.of(
          "worker.id",
          "worker.role",
          "worker.plugin",
          "worker.node",
          "bootstrap.servers",
          "auto.register.schemas",
          "topic.prefix",
          "open.calls.max",
          "mount.root",
          "discovery.interval.ms",
          "listing.interval.ms",
          "drain.timeout.ms",
          "health.port",
          LOG_FORMAT);

  /** Beginnings of keys that are handed on. */
  private static final List<String> HANDED_ON =
      List.of(
          "kafka.",
          "schema.registry.",
          "basic.auth.",
          "bearer.auth.",
          "proxy.",
          "config.providers");

  private SettingSources() {}

  /**
   * Reads them all.
   *
   * @param file properties file; empty for none
   * @param environment variables by name; those that do not begin with {@code BERTH_} do not matter
   * @param flags settings by key
   * @throws IllegalArgumentException if the file cannot be read
   */
  public static Map<String, String> read(
      Optional<Path> file, Map<String, String> environment, Map<String, String> flags) {
    Map<String, String> settings = new HashMap<>();
    file.ifPresent(path -> settings.putAll(properties(path)));
    settings.putAll(variables(environment));
    settings.putAll(flags);
    return settings;
  }

  /**
   * Reads a properties file.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  public static Map<String, String> properties(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("there is no file " + file, e);
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
    }
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().forEach(k -> settings.put(k, properties.getProperty(k)));
    return settings;
  }

  /**
   * Whether a variable is one of a worker's, so that other commands of the same environment can
   * pass it over.
   *
   * @param name of the variable, which begins with {@code BERTH_}
   */
  public static boolean knows(String name) {
    return names().containsKey(name) || !handedOn(name).equals(name);
  }

  /** The key of each variable with a fixed name. */
  private static Map<String, String> names() {
    Map<String, String> keys = new HashMap<>();
    KEYS.forEach(key -> keys.put(VARIABLES + key.toUpperCase(Locale.ROOT).replace('.', '_'), key));
    return keys;
  }

  private static Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> keys = names();
    Map<String, String> settings = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(VARIABLES)) {
            settings.put(keys.getOrDefault(name, handedOn(name)), value);
          }
        });
    return settings;
  }

  /** Keys of others hold no dashes as a rule: an underscore can only stand for a dot. */
  private static String handedOn(String variable) {
    String key = variable.substring(VARIABLES.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    // An unknown variable keeps its name, so that the complaint about it can be understood.
    return HANDED_ON.stream().anyMatch(key::startsWith) ? key : variable;
  }
}
