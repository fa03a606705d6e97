package dev.berth.ops.command;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth plugin list}. */
@Command(
    name = "list",
    description = {"Lists plugins: what runs or is paused, which instances are well."},
    footer = {"", "Examples:", "  berth plugin list", "  berth plugin list -o json"})
final class PluginListCommand implements Callable<Integer> {

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  PluginListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListPluginsRequest filter = ListPluginsRequest.newBuilder().build();
    return options.list(
        terminal, clock, new ListOptions.Sought("", ""), reads -> shown(reads, filter));
  }

  private static ListOptions.Shown<Plugin> shown(Reads reads, ListPluginsRequest filter) {
    Map<String, Pause> pauses =
        reads.lanes(ListLanesRequest.getDefaultInstance()).entries().stream()
            .filter(PluginLanes::hasPause)
            .collect(toMap(PluginLanes::getPlugin, PluginLanes::getPause, (one, other) -> one));
    return new ListOptions.Shown<>(
        Tables.plugins(pauses), reads.plugins(filter), plugin -> json(plugin, pauses));
  }

  private static ObjectNode json(Plugin plugin, Map<String, Pause> pauses) {
    ObjectNode json = MessageJson.of(plugin);
    Pause pause = pauses.get(plugin.getPlugin());
    if (pause != null) {
      json.set("pause", MessageJson.of(pause));
    }
    return json;
  }
}
