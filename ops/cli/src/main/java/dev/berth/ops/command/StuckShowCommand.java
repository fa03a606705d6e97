package dev.berth.ops.command;

import dev.berth.ops.api.Listed;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.StuckScreen;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.Stuck;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth stuck show}. */
@Command(
    name = "show",
    description = {
      "Shows the stuck claims of a volume, and what would help.",
      "Exits 1 when none is stuck."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck show prod/db",
      "  berth stuck show prod/db --alloc a1 -o yaml"
    })
final class StuckShowCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Option(names = "--alloc", paramLabel = "ALLOC", description = "Only of this alloc.")
  private String alloc = "";

  @Mixin private final WatchOptions watch = new WatchOptions();
  @Mixin private final ViewOptions options = new ViewOptions();

  private final Terminal terminal;
  private final Clock clock;

  StuckShowCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    VolumeName name = Objects.requireNonNull(volume);
    ListStuckRequest filter = ListStuckRequest.newBuilder().setNamespace(name.namespace()).build();
    return options.show(
        terminal, reads -> watch.repeat(terminal, fresh -> show(reads.stuck(filter), name, fresh)));
  }

  private int show(Listed<Stuck> listed, VolumeName name, Runnable fresh) {
    List<Stuck> found = listed.entries().stream().filter(each -> isMeant(each, name)).toList();
    fresh.run();
    ViewOptions.caution(terminal, listed);
    if (found.isEmpty()) {
      terminal.err().println("berth: no stuck claim on " + name + "; see berth volume status");
    }
    options.print(
        terminal,
        () -> MessageJson.list(found),
        () -> StuckScreen.lines(found, new Moments(clock.instant())));
    return found.isEmpty() ? ExitCode.FAILED : ExitCode.OK;
  }

  private boolean isMeant(Stuck stuck, VolumeName name) {
    return stuck.getClaim().getRef().getVolume().equals(name.id())
        && (alloc.isEmpty() || stuck.getClaim().getAlloc().equals(alloc));
  }
}
