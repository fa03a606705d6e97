package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.WhyScreen;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WhyClaimResponse;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth claim why}. */
@Command(
    name = "why",
    description = {
      "Tells why a claim is where it is, and how it came there.",
      "Event, decision, call, outcome, each with its time and where it stands in the",
      "topics. A claim that is gone is told from its history. Exits 1 when there is",
      "neither."
    },
    footer = {
      "",
      "Examples:",
      "  berth claim why prod/db alloc-1",
      "  berth claim why prod/db alloc-1 -o json --timeout 30s"
    })
final class ClaimWhyCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "NAMESPACE/VOLUME", description = "The volume.")
  private @Nullable VolumeName volume;

  @Parameters(index = "1", paramLabel = "ALLOC", description = "The alloc.")
  private String alloc = "";

  @Mixin private final ViewOptions options = new ViewOptions();

  private final Terminal terminal;
  private final Clock clock;

  ClaimWhyCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    VolumeRef ref = VolumeArgument.ref(Objects.requireNonNull(volume));
    return options.show(
        terminal,
        reads -> {
          WhyClaimResponse answer = reads.why(ref, alloc);
          options.print(
              terminal,
              () -> MessageJson.of(answer),
              () -> WhyScreen.lines(answer, new Moments(clock.instant())));
          return ExitCode.OK;
        });
  }
}
