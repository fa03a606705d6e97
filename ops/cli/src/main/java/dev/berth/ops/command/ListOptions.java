package dev.berth.ops.command;

import com.google.protobuf.Message;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Pause;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Columns;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.streams.policy.DurationText;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What all commands have in common that list something of the API. */
final class ListOptions {
  private static final int WIDTH = 100;

  /** To the upper left corner, everything gone. */
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Option(
      names = "--watch",
      arity = "0..1",
      fallbackValue = "2s",
      paramLabel = "DURATION",
      description = "Shows it again and again until Ctrl-C, every 2s or what is given.")
  private @Nullable String watch;

  @Mixin private final ViewOptions view = new ViewOptions();

  /**
   * Lists.
   *
   * @param columns how a table shows it
   * @param read reads it
   */
  <E extends Message> int list(
      Terminal terminal, Clock clock, Columns<E> columns, Function<Reads, Listed<E>> read)
      throws Exception {
    Duration interval = watch == null ? Duration.ZERO : interval(watch);
    return view.show(
        terminal,
        reads -> {
          show(terminal, clock, columns, read.apply(reads));
          while (watch != null && !terminal.out().checkError()) {
            Pause.real().elapse(interval);
            show(terminal, clock, columns, read.apply(reads));
          }
          return ExitCode.OK;
        });
  }

  private <E extends Message> void show(
      Terminal terminal, Clock clock, Columns<E> columns, Listed<E> listed) {
    ViewOptions.caution(terminal, listed);
    if (watch != null && terminal.colour()) {
      terminal.out().print(CLEAR);
    }
    view.print(
        terminal,
        () -> MessageJson.list(listed.entries()),
        () -> lines(columns, listed.entries(), new Moments(clock.instant())));
  }

  private Duration interval(String text) {
    return DurationText.parse(text)
        .filter(duration -> duration.toMillis() > 0)
        .orElseThrow(() -> usage("--watch: '" + text + "' is no duration: write 2s or 1m"));
  }

  private <E extends Message> List<String> lines(
      Columns<E> columns, List<E> entries, Moments moments) {
    if (entries.isEmpty()) {
      return List.of("No " + columns.plural() + ".");
    }
    return view.wide()
        ? columns.table(entries, moments, true).lines()
        : columns.table(entries, moments, false).lines(WIDTH);
  }

  /** A usage error of the command that this is mixed into. */
  ParameterException usage(String message) {
    return view.usage(message);
  }
}
