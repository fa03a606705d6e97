package dev.berth.ops.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of the commands that run a part of Berth as a process; add them as a mixin. */
final class ProcessOptions {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Properties file with its settings. BERTH_… variables (BERTH_BOOTSTRAP_SERVERS) go over"
              + " it, --set over both. What is not known is an error.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting; may be repeated. Passwords belong in the file.")
  private Map<String, String> flags = new LinkedHashMap<>();

  @Option(
      names = {"-v", "--verbose"},
      description =
          "Says more in the log, which goes to standard output: text, or a JSON object a line with"
              + " the setting log.format=json.")
  private boolean verbose;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  Optional<Path> file() {
    return Optional.ofNullable(config);
  }

  Map<String, String> flags() {
    return flags;
  }

  boolean verbose() {
    return verbose;
  }

  /**
   * Reads a configuration.
   *
   * @throws ParameterException saying what cannot be used and what would do
   */
  <T> T checked(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
