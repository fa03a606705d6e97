package dev.berth.ops.command;

import dev.berth.ops.api.ApiTarget;
import dev.berth.ops.config.ApiSettings;
import dev.berth.ops.config.ConnectionSettings;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.RegistryConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options of every command that talks to a deployment; add them with {@code @Mixin}.
 *
 * <p>A properties file comes first, over it the variables {@code BERTH_…}, over both the flags.
 */
final class ConnectionOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Properties file with connection settings. BERTH_… variables (BERTH_BOOTSTRAP_SERVERS) go"
              + " over it, flags over both.")
  private @Nullable Path config;

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT",
      description = "Kafka brokers, separated by commas (bootstrap.servers).")
  private @Nullable String bootstrapServers;

  @Option(
      names = "--registry",
      paramLabel = "URL",
      description = "The schema registry (schema.registry.url).")
  private @Nullable String registry;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "First part of the topics' names (topic.prefix, default: berth).")
  private @Nullable String prefix;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description =
          "Another setting, such as kafka.security.protocol=SSL; may be repeated. Passwords belong"
              + " in the file.")
  private Map<String, String> others = new LinkedHashMap<>();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  private final Map<String, String> environment;

  /** For a command of this process. */
  ConnectionOptions() {
    this(System.getenv());
  }

  /**
   * Under other variables.
   *
   * @param environment variables by name
   */
  ConnectionOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * The deployment that is meant.
   *
   * @throws ParameterException naming source, key and remedy when a setting is unknown, missing or
   *     not usable
   */
  Connection connection() {
    Map<String, String> flags = new LinkedHashMap<>(others);
    put(flags, ConnectionSettings.BOOTSTRAP_SERVERS, bootstrapServers);
    put(flags, RegistryConfig.URL, registry);
    put(flags, ConnectionSettings.TOPIC_PREFIX, prefix);
    try {
      return ConnectionSettings.read(Optional.ofNullable(config), environment, flags);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Which instance of the query API is meant, for commands that want both.
   *
   * @param given what its flags say
   * @throws ParameterException naming the setting and the remedy when it is not usable
   */
  ApiTarget api(TargetOptions given) {
    Map<String, String> flags = new LinkedHashMap<>(others);
    flags.putAll(given.flags());
    try {
      return ApiSettings.read(Optional.ofNullable(config), environment, flags);
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    if (command == null) {
      throw new IllegalStateException("not mixed into a command: " + message);
    }
    return new ParameterException(command.commandLine(), message);
  }

  private static void put(Map<String, String> flags, String key, @Nullable String value) {
    if (value != null) {
      flags.put(key, value);
    }
  }
}
