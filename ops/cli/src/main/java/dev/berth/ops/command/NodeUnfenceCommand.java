package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.UnfenceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth node unfence}. */
@Command(
    name = "unfence",
    description = {
      "Takes a fence back: the node is clean again.",
      "Claims that waited for it (node-not-clean) go on."
    },
    footer = {"", "Example:", "  berth node unfence n1 --reason \"rebooted\""})
final class NodeUnfenceCommand extends SubmittedCommand {

  @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
  private String node = "";

  NodeUnfenceCommand(Terminal terminal) {
    super(terminal, "NODE");
  }

  @Override
  Asked asked() {
    return new Asked(
        node,
        SubmitCommandRequest.newBuilder()
            .setUnfence(UnfenceCommand.newBuilder().setNode(node))
            .build());
  }
}
