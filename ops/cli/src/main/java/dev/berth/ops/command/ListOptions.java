package dev.berth.ops.command;

import com.google.protobuf.Message;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Columns;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import java.time.Clock;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** What all commands have in common that list something of the API. */
final class ListOptions {
  private static final int WIDTH = 100;

  @Mixin private final WatchOptions watch = new WatchOptions();
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
    return view.show(
        terminal,
        reads ->
            watch.repeat(
                terminal,
                fresh -> {
                  Listed<E> listed = read.apply(reads);
                  ViewOptions.caution(terminal, listed);
                  fresh.run();
                  view.print(
                      terminal,
                      () -> MessageJson.list(listed.entries()),
                      () -> lines(columns, listed.entries(), new Moments(clock.instant())));
                  return ExitCode.OK;
                }));
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
