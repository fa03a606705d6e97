package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.UnfenceCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth node unfence}. */
@Command(
    name = "unfence",
    description = {
      "States that a fenced node is clean: its old mounts are gone.",
      "Claims that waited for it (node-not-clean) go on: confirm with --yes and say why",
      "with --reason, or answer when asked. Exits 1 when it is refused."
    },
    footer = {
      "",
      "Examples:",
      "  berth node unfence n1",
      "  berth node unfence n1 --yes --reason \"rebooted, nothing is mounted\""
    })
final class NodeUnfenceCommand extends DangerousCommand {

  @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
  private String node = "";

  NodeUnfenceCommand(Terminal terminal, Question question) {
    super(terminal, question, "NODE");
  }

  @Override
  Intent intent() {
    return new Intent(
        "Says that nothing of before the fence is mounted on %s.".formatted(node),
        "If something still is, it writes beside the new mount: data can be destroyed. Look at the mounts of the node first.",
        AtStake.node(node),
        new Asked(
            node,
            SubmitCommandRequest.newBuilder()
                .setUnfence(UnfenceCommand.newBuilder().setNode(node))
                .build()));
  }
}
