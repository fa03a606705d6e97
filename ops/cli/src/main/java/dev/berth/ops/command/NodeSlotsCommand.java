package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListNodeSlotsRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth node slots}. */
@Command(
    name = "slots",
    description = {"Lists attach slots in use, per node and plugin."},
    footer = {"", "Examples:", "  berth node slots", "  berth node slots --node n1 --plugin ebs"})
final class NodeSlotsCommand implements Callable<Integer> {

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
  private String node = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  NodeSlotsCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListNodeSlotsRequest filter =
        ListNodeSlotsRequest.newBuilder().setPlugin(plugin).setNode(node).build();
    return options.list(
        terminal,
        clock,
        Tables.SLOTS,
        new ListOptions.Sought(plugin, node),
        reads -> reads.slots(filter));
  }
}
