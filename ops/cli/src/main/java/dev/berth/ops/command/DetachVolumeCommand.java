package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.DetachCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth detach}. */
@Command(
    name = "detach",
    description = {
      "Ends the claims of a volume on a node and detaches it there.",
      "A workload that still runs there loses the volume: confirm with --yes and say",
      "why with --reason, or answer when asked. Exits 1 when it is refused."
    },
    footer = {
      "",
      "Examples:",
      "  berth detach prod/db n1",
      "  berth detach prod/db n1 --yes --reason \"moved by hand\""
    })
final class DetachVolumeCommand extends DangerousCommand {

  @Parameters(index = "0", paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Parameters(index = "1", paramLabel = "NODE", description = "The node.")
  private String node = "";

  DetachVolumeCommand(Terminal terminal, Question question) {
    super(terminal, question, "VOLUME");
  }

  @Override
  Intent intent() {
    VolumeName name = Objects.requireNonNull(volume);
    return new Intent(
        "Ends the claims of %s on node %s and detaches it there.".formatted(name, node),
        "A workload that still runs there loses the volume, and what it has not written yet.",
        AtStake.place(name, node),
        new Asked(
            name + " on " + node,
            SubmitCommandRequest.newBuilder()
                .setDetach(
                    DetachCommand.newBuilder().setRef(VolumeArgument.ref(name)).setNode(node))
                .build()));
  }
}
