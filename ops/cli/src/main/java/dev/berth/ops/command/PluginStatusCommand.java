package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.PluginScreen;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth plugin status}. */
@Command(
    name = "status",
    description = {
      "Shows all about one plugin on one screen.",
      "Its instances and their health, what is out, in line and held, and the nodes",
      "whose calls fail. Exits 1 when there is no such plugin."
    },
    footer = {"", "Examples:", "  berth plugin status ebs", "  berth plugin status ebs -o json"})
final class PluginStatusCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PLUGIN", description = "The plugin.")
  private String plugin = "";

  @Mixin private final WatchOptions watch = new WatchOptions();
  @Mixin private final ViewOptions options = new ViewOptions();

  private final Terminal terminal;
  private final Clock clock;

  PluginStatusCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    return options.show(terminal, reads -> watch.repeat(terminal, fresh -> show(reads, fresh)));
  }

  private int show(Reads reads, Runnable fresh) {
    Listed<Plugin> found = reads.plugins(ListPluginsRequest.newBuilder().setPlugin(plugin).build());
    List<PluginLanes> lanes =
        reads.lanes(ListLanesRequest.newBuilder().setPlugin(plugin).build()).entries();
    fresh.run();
    ViewOptions.caution(terminal, found);
    if (found.entries().isEmpty()) {
      terminal.err().println("berth: no plugin '" + plugin + "'; see berth plugin list");
      return ExitCode.FAILED;
    }
    Plugin one = found.entries().get(0);
    options.print(
        terminal,
        () -> document(one, lanes),
        () -> PluginScreen.lines(one, lanes, new Moments(clock.instant())));
    return ExitCode.OK;
  }

  private static ObjectNode document(Plugin plugin, List<PluginLanes> lanes) {
    ObjectNode document = MessageJson.of(plugin);
    lanes.forEach(each -> document.set("calls", MessageJson.of(each)));
    return document;
  }
}
