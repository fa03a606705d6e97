package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListNodesRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth node list}. */
@Command(
    name = "list",
    description = {"Lists nodes as their schedulers tell of them, with fences."},
    footer = {"", "Examples:", "  berth node list", "  berth node list --scheduler east -o wide"})
final class NodeListCommand implements Callable<Integer> {

  @Option(names = "--scheduler", paramLabel = "SCHEDULER", description = "Only of this scheduler.")
  private String scheduler = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  NodeListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListNodesRequest filter = ListNodesRequest.newBuilder().setScheduler(scheduler).build();
    return options.list(terminal, clock, Tables.NODES, reads -> reads.nodes(filter));
  }
}
