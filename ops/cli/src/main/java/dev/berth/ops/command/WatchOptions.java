package dev.berth.ops.command;

import dev.berth.ops.api.Pause;
import dev.berth.ops.terminal.Terminal;
import dev.berth.streams.policy.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows something again and again. */
final class WatchOptions {
  /** To the upper left corner, everything gone. */
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2s",
      paramLabel = "DURATION",
      description = "Shows it again and again until Ctrl-C, every 2s or what is given.")
  private @Nullable String watch;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Something that is read, and then printed. */
  @FunctionalInterface
  interface Looking {
    /**
     * Reads and prints.
     *
     * @param fresh to be called between the two: the screen is not empty while it is read
     * @return the exit code
     */
    int look(Runnable fresh) throws Exception;
  }

  /**
   * Looks once, or until nobody reads any more.
   *
   * @return the exit code of the last look
   * @throws ParameterException when the interval is none
   */
  int repeat(Terminal terminal, Looking looking) throws Exception {
    if (watch == null) {
      return looking.look(() -> {});
    }
    Duration interval = interval(watch);
    while (true) {
      int code = looking.look(() -> clear(terminal));
      if (terminal.out().checkError()) {
        return code;
      }
      Pause.real().elapse(interval);
    }
  }

  private static void clear(Terminal terminal) {
    if (terminal.colour()) {
      terminal.out().print(CLEAR);
    }
  }

  private Duration interval(String text) {
    return DurationText.parse(text)
        .filter(duration -> duration.toMillis() > 0)
        .orElseThrow(
            () -> {
              if (command == null) {
                return new IllegalStateException("not mixed into a command");
              }
              return new ParameterException(
                  command.commandLine(), "--watch: '" + text + "' is no duration: write 2s or 1m");
            });
  }
}
