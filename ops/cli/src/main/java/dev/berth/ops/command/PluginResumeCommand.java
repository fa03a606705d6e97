package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.ResumeCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code berth plugin resume}. */
@Command(
    name = "resume",
    description = {"Lets a paused plugin go on."},
    footer = {"", "Example:", "  berth plugin resume ebs"})
final class PluginResumeCommand extends SubmittedCommand {

  @Parameters(paramLabel = "PLUGIN", description = "The plugin.")
  private String plugin = "";

  PluginResumeCommand(Terminal terminal) {
    super(terminal, "PLUGIN");
  }

  @Override
  Asked asked() {
    return new Asked(
        plugin,
        SubmitCommandRequest.newBuilder()
            .setResume(ResumeCommand.newBuilder().setPlugin(plugin))
            .build());
  }
}
