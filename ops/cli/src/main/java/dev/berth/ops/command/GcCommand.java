package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.CollectGarbageCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import picocli.CommandLine.Command;

/** {@code berth gc}. */
@Command(
    name = "gc",
    description = {
      "Collects garbage now, without its thresholds.",
      "Releases claims of dead or unknown allocs that nobody releases, and removes",
      "plugin records without an instance and expired sessions of browsers. It happens",
      "by itself every 5 minutes."
    },
    footer = {"", "Example:", "  berth gc --reason \"after the incident\""})
final class GcCommand extends SubmittedCommand {

  GcCommand(Terminal terminal) {
    super(terminal, "WHAT");
  }

  @Override
  Asked asked() {
    return new Asked(
        "garbage",
        SubmitCommandRequest.newBuilder()
            .setCollectGarbage(CollectGarbageCommand.newBuilder())
            .build());
  }
}
