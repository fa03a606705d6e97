package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListPluginsRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth plugin list}. */
@Command(
    name = "list",
    description = {"Lists plugins: which instances are well, and what they can do."},
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
    return options.list(terminal, clock, Tables.PLUGINS, reads -> reads.plugins(filter));
  }
}
