package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.AssumeDetachedCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth stuck assume-detached}. */
@Command(
    name = "assume-detached",
    description = {
      "Takes a volume as detached from a node, without asking the plugin.",
      "For a detach that can never be answered: look at the provider first. Confirm",
      "with --yes and say why with --reason, or answer when asked. Refused for a live",
      "claim unless its node is fenced or gone. Exits 1 when it is refused."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck assume-detached prod/db n1",
      "  berth stuck assume-detached prod/db n1 --yes --reason \"provider shows none\""
    })
final class StuckAssumeCommand extends DangerousCommand {

  @Parameters(index = "0", paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Parameters(index = "1", paramLabel = "NODE", description = "The node.")
  private String node = "";

  StuckAssumeCommand(Terminal terminal, Question question) {
    super(terminal, question, "VOLUME");
  }

  @Override
  Intent intent() {
    VolumeName name = Objects.requireNonNull(volume);
    return new Intent(
        "Takes %s as detached from node %s, without asking its plugin.".formatted(name, node),
        "If the provider still has it attached there, two nodes may write at once: data can be destroyed. Look at the provider first.",
        AtStake.place(name, node),
        new Asked(
            name + " on " + node,
            SubmitCommandRequest.newBuilder()
                .setAssumeDetached(
                    AssumeDetachedCommand.newBuilder()
                        .setRef(VolumeArgument.ref(name))
                        .setNode(node))
                .build()));
  }
}
