package dev.berth.ops.config;

import dev.berth.streams.app.SettingSources;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which settings there are. One file may serve an instance of the Streams application and the
 * command, and one environment all parts of Berth: what another part knows is passed over, what
 * none knows is an error.
 */
final class SettingNames {
  static final String VARIABLES = "BERTH_";
  static final String KAFKA = "kafka.";

  /** Beginnings of keys that are the registry's. */
  static final List<String> REGISTRY =
      List.of("schema.registry.", "basic.auth.", "bearer.auth.", "proxy.", "auto.register.schemas");

  private static final String POLICY = "policy.";

  /** Variables of the script {@code ops/bin/berth}. */
  private static final Set<String> OF_THE_SCRIPT = Set.of("BERTH_JAVA_OPTS");

  /** What the command has for itself, beside what it hands on. */
  private static final List<String> COMMAND =
      Stream.concat(
              Stream.of(ConnectionSettings.BOOTSTRAP_SERVERS, ConnectionSettings.TOPIC_PREFIX),
              ApiSettings.KEYS.stream())
          .toList();

  private SettingNames() {}

  /** Whether the key of a file or a flag is the command's or the Streams application's. */
  static boolean known(String key) {
    return COMMAND.contains(key)
        || SettingSources.keys().contains(key)
        || key.startsWith(KAFKA)
        || key.startsWith(POLICY)
        || ofRegistry(key);
  }

  static boolean ofRegistry(String key) {
    return REGISTRY.stream().anyMatch(key::startsWith);
  }

  /**
   * The key that a variable stands for.
   *
   * @return empty when it is none of the command's
   */
  static Optional<String> key(String variable) {
    Optional<String> own =
        COMMAND.stream().filter(key -> variable(key).equals(variable)).findFirst();
    if (own.isPresent()) {
      return own;
    }
    // Keys that are handed on hold no dashes as a rule: an underscore can only stand for a dot.
    String key = variable.substring(VARIABLES.length()).toLowerCase(Locale.ROOT).replace('_', '.');
    return Optional.of(key).filter(text -> text.startsWith(KAFKA) || ofRegistry(text));
  }

  /** Whether a variable that is none of the command's is that of another part of Berth. */
  static boolean ofOthers(String variable) {
    return OF_THE_SCRIPT.contains(variable)
        || SettingSources.knows(variable)
        || dev.berth.workers.config.SettingSources.knows(variable);
  }

  /** The variable that stands for a key. */
  static String variable(String key) {
    return VARIABLES + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** The keys of the command, for a complaint about one that it does not know. */
  static String text() {
    return "%s, %s and %s*"
        .formatted(
            String.join(", ", COMMAND), String.join(", ", REGISTRY).replace(".,", ".*,"), KAFKA);
  }
}
