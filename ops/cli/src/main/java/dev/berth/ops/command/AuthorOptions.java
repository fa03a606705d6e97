package dev.berth.ops.command;

import dev.berth.producers.Author;
import dev.berth.producers.InvalidEventException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Who asks and why; recorded with every command that is sent. */
final class AuthorOptions {

  @Option(names = "--by", paramLabel = "NAME", description = "Who asks (default: your user name).")
  private String by = System.getProperty("user.name", "unknown");

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, in your words.")
  private String reason = "";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** The reason as it was given; may be empty. */
  String reason() {
    return reason;
  }

  /**
   * The author.
   *
   * @throws ParameterException when the name is not usable
   */
  Author author() {
    return author(reason);
  }

  /** The author with a reason that was asked for. */
  Author author(String why) {
    try {
      return Author.of(by, why);
    } catch (InvalidEventException e) {
      if (command == null) {
        throw new IllegalStateException("not mixed into a command", e);
      }
      throw new ParameterException(command.commandLine(), "--" + e.getMessage(), e);
    }
  }
}
