package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListLanesRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth lane list}. */
@Command(
    name = "list",
    description = {"Lists the lanes of each plugin: what is out, in line and held."},
    footer = {"", "Examples:", "  berth lane list", "  berth lane list --plugin ebs -o yaml"})
final class LaneListCommand implements Callable<Integer> {

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  LaneListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListLanesRequest filter = ListLanesRequest.newBuilder().setPlugin(plugin).build();
    return options.list(
        terminal,
        clock,
        Tables.LANES,
        new ListOptions.Sought(plugin, ""),
        reads -> reads.lanes(filter));
  }
}
