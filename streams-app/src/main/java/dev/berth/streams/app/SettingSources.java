package dev.berth.streams.app;

import dev.berth.streams.policy.PolicySettings;
import dev.berth.streams.policy.Setting;
import dev.berth.streams.query.security.SecurityConfig;
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
import java.util.Properties;
import java.util.TreeMap;

/**
 * Where settings come from, the later winning: a properties file ({@code --config FILE}), the
 * environment ({@code BERTH_BOOTSTRAP_SERVERS}), flags ({@code --bootstrap.servers=HOST:PORT}).
 */
public final class SettingSources {
  private static final String VARIABLES = "BERTH_";
  private static final String FLAG = "--";
  private static final String FILE_FLAG = "--config";

  private SettingSources() {}

  /**
   * Reads them all.
   *
   * @throws IllegalArgumentException when an argument is no setting, a variable names none, or the
   *     file cannot be read
   */
  public static Map<String, String> read(List<String> arguments, Map<String, String> environment) {
    Map<String, String> flags = new TreeMap<>();
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals(FILE_FLAG)) {
        i++;
        settings.putAll(file(i < arguments.size() ? arguments.get(i) : ""));
      } else if (argument.startsWith(FILE_FLAG + "=")) {
        settings.putAll(file(argument.substring(FILE_FLAG.length() + 1)));
      } else {
        flag(argument, flags);
      }
    }
    settings.putAll(variables(environment));
    settings.putAll(flags);
    return settings;
  }

  /** Keys with a fixed name, in the order of the documentation. */
  public static List<String> keys() {
    return AppSettings.KEYS;
  }

  /**
   * Whether a variable is one of the application's, so that other commands of the same environment
   * can pass it over.
   *
   * @param name of the variable, which begins with {@code BERTH_}
   */
  public static boolean knows(String name) {
    return names().containsKey(name) || !handedOn(name).equals(name);
  }

  private static void flag(String argument, Map<String, String> flags) {
    int equals = argument.indexOf('=');
    if (!argument.startsWith(FLAG) || equals <= FLAG.length()) {
      throw new IllegalArgumentException(
          "argument '" + argument + "' is no setting: write --key=value, or --config FILE");
    }
    flags.put(argument.substring(FLAG.length(), equals), argument.substring(equals + 1));
  }

  private static Map<String, String> file(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(FILE_FLAG + " lacks its file: write --config FILE");
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("--config " + name + ": there is no such file", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "--config " + name + " cannot be read: " + e.getMessage(), e);
    }
    Map<String, String> settings = new HashMap<>();
    properties.stringPropertyNames().forEach(k -> settings.put(k, properties.getProperty(k)));
    return settings;
  }

  /** The key of each variable with a fixed name. */
  private static Map<String, String> names() {
    Map<String, String> keys = new HashMap<>();
    AppSettings.KEYS.forEach(key -> keys.put(variable(key), key));
    for (Setting<?> setting : PolicySettings.all()) {
      String key = AppSettings.POLICY + "default." + setting.key();
      keys.put(variable(key), key);
    }
    return keys;
  }

  private static Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> keys = names();
    Map<String, String> settings = new HashMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(VARIABLES) && !isOfClients(name)) {
            settings.put(keys.getOrDefault(name, handedOn(name)), value);
          }
        });
    return settings;
  }

  /** Those of who calls the API: what exports them for the command may run an instance too. */
  private static boolean isOfClients(String variable) {
    return SecurityConfig.CLIENT_KEYS.stream().anyMatch(key -> variable(key).equals(variable));
  }

  /** Keys of others hold no dashes as a rule: an underscore can only stand for a dot. */
  private static String handedOn(String variable) {
    String key = variable.substring(VARIABLES.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    boolean known =
        key.startsWith(AppSettings.KAFKA)
            || AppSettings.REGISTRY.stream().anyMatch(key::startsWith);
    // An unknown variable keeps its name, so that the complaint about it can be understood.
    return known ? key : variable;
  }

  private static String variable(String key) {
    return VARIABLES + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
