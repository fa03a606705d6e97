package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Pause;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.FullScreen;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.TopScreen;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.Stuck;
import dev.berth.streams.policy.DurationText;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth top}. */
@Command(
    name = "top",
    description = {
      "Shows lanes, calls and stuck claims on the whole screen, live.",
      "Until Ctrl-C (exit code 130): the lanes of each plugin, with what is out, in line",
      "and held, and when that will be done; the calls that are out, the longest first;",
      "what is stuck. Into a pipe it prints the same as plain text again and again, with",
      "--once a single time."
    },
    footer = {"", "Examples:", "  berth top", "  berth top --plugin ebs --once -o json"})
final class TopCommand implements Callable<Integer> {
  /** Of a pipe nobody knows how long a page is. */
  private static final FullScreen.Size PAGE = new FullScreen.Size(200, 100);

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--once", description = "Prints it once and ends.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      defaultValue = "2s",
      description = "Time between two looks (default: ${DEFAULT-VALUE}).")
  private String interval = "2s";

  @Mixin private final ViewOptions options = new ViewOptions();

  private final Terminal terminal;
  private final Clock clock;

  TopCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  /** One look. */
  private record Look(Listed<PluginLanes> lanes, Listed<Stuck> stuck) {}

  @Override
  public Integer call() throws Exception {
    Duration pause =
        DurationText.parse(interval)
            .filter(duration -> duration.toMillis() > 0)
            .orElseThrow(
                () ->
                    options.usage("--interval: '" + interval + "' is no duration: write 2s or 1m"));
    return options.show(
        terminal,
        reads ->
            terminal.colour() && options.forPeople() && !once
                ? fullScreen(reads, pause)
                : printed(reads, pause));
  }

  private int fullScreen(Reads reads, Duration pause) throws InterruptedException {
    try (FullScreen screen = FullScreen.enter(terminal)) {
      while (!terminal.out().checkError()) {
        Look look = look(reads);
        FullScreen.Size size = FullScreen.size();
        List<String> lines = new ArrayList<>(lines(look, size));
        look.lanes().missing().forEach(what -> lines.add("not told: " + what));
        screen.show(lines, size);
        Pause.real().elapse(pause);
      }
      return ExitCode.OK;
    }
  }

  private int printed(Reads reads, Duration pause) throws InterruptedException {
    boolean first = true;
    while (first || (!once && !terminal.out().checkError())) {
      if (!first) {
        Pause.real().elapse(pause);
        if (options.forPeople()) {
          terminal.out().println();
        }
      }
      first = false;
      Look look = look(reads);
      ViewOptions.caution(terminal, look.lanes());
      options.print(terminal, () -> document(look), () -> lines(look, PAGE));
    }
    return ExitCode.OK;
  }

  private Look look(Reads reads) {
    return new Look(
        reads.lanes(ListLanesRequest.newBuilder().setPlugin(plugin).build()),
        reads.stuck(ListStuckRequest.newBuilder().setPlugin(plugin).build()));
  }

  private List<String> lines(Look look, FullScreen.Size size) {
    List<String> lines = new ArrayList<>();
    lines.add(terminal.bold("berth top  " + clock.instant().truncatedTo(ChronoUnit.SECONDS)));
    lines.addAll(
        TopScreen.lines(
            look.lanes().entries(),
            look.stuck().entries(),
            new Moments(clock.instant()),
            size.rows() - 1,
            size.columns()));
    return lines;
  }

  private ObjectNode document(Look look) {
    ObjectNode document = JsonOutput.mapper().createObjectNode();
    document.put("at", clock.instant().toString());
    document.set("plugins", MessageJson.list(look.lanes().entries()));
    document.set("stuck", MessageJson.list(look.stuck().entries()));
    return document;
  }
}
