package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.UnblockCommand;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class UnblockVolumeCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;
  private final Question question;

  UnblockVolumeCommand(Terminal terminal, Question question) {
    this.terminal = terminal;
    this.question = question;
  }

  @Override
  public Integer call() throws Exception {
    VolumeName name = Objects.requireNonNull(volume);
    Optional<String> reason =
        danger.confirmed(
            terminal,
            question,
            "Takes the claims of %s on lost nodes as unmounted, and detaches it from them."
                .formatted(name),
            "If such a node still runs, two workloads may write at once: data can be destroyed. Make sure that it is off.",
            options.reason());
    if (reason.isEmpty()) {
      return ExitCode.FAILED;
    }
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            name.toString(),
            SubmitCommandRequest.newBuilder()
                .setUnblock(UnblockCommand.newBuilder().setRef(VolumeArgument.ref(name)))
                .build());
    return options.submit(terminal, "VOLUME", asked, reason.get());
  }
}
