package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.UnblockCommand;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth unblock}. */
@Command(
    name = "unblock",
    description = {
      "Lets the claims of a volume go that are held for lost nodes.",
      "They are taken as unmounted, and the volume is detached: confirm with --yes and",
      "say why with --reason, or answer when asked. Exits 1 when it is refused."
    },
    footer = {
      "",
      "Examples:",
      "  berth unblock prod/db",
      "  berth unblock prod/db --yes --reason \"n1 was powered off\""
    })
final class UnblockVolumeCommand extends DangerousCommand {

  @Parameters(index = "0", paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  UnblockVolumeCommand(Terminal terminal, Question question) {
    super(terminal, question, "VOLUME");
  }

  @Override
  Intent intent() {
    VolumeName name = Objects.requireNonNull(volume);
    return new Intent(
        "Takes the claims of %s on lost nodes as unmounted, and detaches it from them."
            .formatted(name),
        "If such a node still runs, two workloads may write at once: data can be destroyed. Make sure that it is off.",
        AtStake.atLostNodes(name),
        new Asked(
            name.toString(),
            SubmitCommandRequest.newBuilder()
                .setUnblock(UnblockCommand.newBuilder().setRef(VolumeArgument.ref(name)))
                .build()));
  }
}
