package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.FenceCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth node fence}. */
@Command(
    name = "fence",
    description = {
      "States that nothing on a node can write any more.",
      "Ends all its claims and detaches their volumes: confirm with --yes and say why",
      "with --reason, or answer when asked. Refused for a ready node. Exits 1 when it is",
      "refused."
    },
    footer = {
      "",
      "Examples:",
      "  berth node fence n1",
      "  berth node fence n1 --yes --reason \"powered off, rack 7\""
    })
final class NodeFenceCommand extends DangerousCommand {

  @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
  private String node = "";

  NodeFenceCommand(Terminal terminal, Question question) {
    super(terminal, question, "NODE");
  }

  @Override
  Intent intent() {
    return new Intent(
        "Ends all claims of node %s and detaches their volumes without its unmounting them."
            .formatted(node),
        "If the node still runs, its workloads write while others do: data can be destroyed. Make sure that it is off.",
        AtStake.node(node),
        new Asked(
            node,
            SubmitCommandRequest.newBuilder()
                .setFence(FenceCommand.newBuilder().setNode(node))
                .build()));
  }
}
