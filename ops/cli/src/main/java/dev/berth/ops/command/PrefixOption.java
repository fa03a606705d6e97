package dev.berth.ops.command;

import dev.berth.schemas.topics.Topics;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whose topics are meant, of commands that need no connection; add it with {@code @Mixin}. */
final class PrefixOption {

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "First part of the topics' names (default: ${DEFAULT-VALUE}).")
  private String prefix = Topics.DEFAULT_PREFIX;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * The topics.
   *
   * @throws ParameterException saying which prefixes would do
   */
  Topics topics() {
    try {
      return new Topics(prefix);
    } catch (IllegalArgumentException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(command.commandLine(), "--prefix: " + e.getMessage(), e);
    }
  }
}
