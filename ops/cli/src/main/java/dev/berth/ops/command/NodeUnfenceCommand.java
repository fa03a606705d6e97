package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.UnfenceCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth node unfence}. */
@Command(
    name = "unfence",
    description = {
      "Takes a fence back: the node is clean again.",
      "Claims that waited for it (node-not-clean) go on."
    },
    footer = {"", "Example:", "  berth node unfence n1 --reason \"rebooted\""})
final class NodeUnfenceCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
  private String node = "";

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;

  NodeUnfenceCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            node,
            SubmitCommandRequest.newBuilder()
                .setUnfence(UnfenceCommand.newBuilder().setNode(node))
                .build());
    return options.submit(terminal, "NODE", asked);
  }
}
