package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.PauseCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth plugin pause}. */
@Command(
    name = "pause",
    description = {
      "Stops the controller calls of a plugin; open calls go on.",
      "What is asked for meanwhile waits in line."
    },
    footer = {
      "",
      "Example:",
      "  berth plugin pause ebs --reason \"the provider is being upgraded\""
    })
final class PluginPauseCommand extends SubmittedCommand {

  @Parameters(paramLabel = "PLUGIN", description = "The plugin.")
  private String plugin = "";

  PluginPauseCommand(Terminal terminal) {
    super(terminal, "PLUGIN");
  }

  @Override
  Asked asked() {
    return new Asked(
        plugin,
        SubmitCommandRequest.newBuilder()
            .setPause(PauseCommand.newBuilder().setPlugin(plugin))
            .build());
  }
}
