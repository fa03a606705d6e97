package dev.berth.ops.command;

import dev.berth.ops.status.CommandStatus;
import dev.berth.ops.terminal.Terminal;
import java.io.UncheckedIOException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that run for long and show their meters; add it with {@code @Mixin}. */
final class StatusOption {

  @Option(
      names = "--health-port",
      paramLabel = "PORT",
      description =
          "Serves /metrics (Prometheus), /health and /ready on this port of the loopback while it"
              + " runs; 0 takes a free one.")
  private @Nullable Integer port;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * Serves from now on, and says where.
   *
   * @throws ParameterException when the port cannot be had
   */
  CommandStatus open(Terminal terminal) {
    try {
      CommandStatus status =
          new CommandStatus(port == null ? OptionalInt.empty() : OptionalInt.of(port));
      status.url().ifPresent(url -> terminal.err().println("berth: meters on " + url));
      return status;
    } catch (IllegalArgumentException | UncheckedIOException e) {
      if (command == null) {
        throw e;
      }
      throw new ParameterException(
          command.commandLine(),
          "--health-port %d cannot be listened on: give another, or 0".formatted(port),
          e);
    }
  }
}
