package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.CollectGarbageCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth gc}. */
@Command(
    name = "gc",
    description = {
      "Collects garbage now, without its thresholds.",
      "Releases claims of dead or unknown allocs that nobody releases, and removes",
      "plugin records without an instance. It happens by itself every 5 minutes."
    },
    footer = {"", "Example:", "  berth gc --reason \"after the incident\""})
final class GcCommand implements Callable<Integer> {

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;

  GcCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            "garbage",
            SubmitCommandRequest.newBuilder()
                .setCollectGarbage(CollectGarbageCommand.newBuilder())
                .build());
    return options.submit(terminal, "WHAT", asked);
  }
}
