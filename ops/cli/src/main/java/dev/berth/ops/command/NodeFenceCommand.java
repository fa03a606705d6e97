package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.FenceCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class NodeFenceCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NODE", description = "The node.")
  private String node = "";

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;
  private final Question question;

  NodeFenceCommand(Terminal terminal, Question question) {
    this.terminal = terminal;
    this.question = question;
  }

  @Override
  public Integer call() throws Exception {
    Optional<String> reason =
        danger.confirmed(
            terminal,
            question,
            "Ends all claims of node %s and detaches their volumes without its unmounting them."
                .formatted(node),
            "If the node still runs, its workloads write while others do: data can be destroyed. Make sure that it is off.",
            options.reason());
    if (reason.isEmpty()) {
      return ExitCode.FAILED;
    }
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            node,
            SubmitCommandRequest.newBuilder()
                .setFence(FenceCommand.newBuilder().setNode(node))
                .build());
    return options.submit(terminal, "NODE", asked, reason.get());
  }
}
