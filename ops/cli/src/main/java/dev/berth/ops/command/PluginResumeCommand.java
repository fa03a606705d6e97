package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.ResumeCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code berth plugin resume}. */
@Command(
    name = "resume",
    description = {"Lets a paused plugin go on."},
    footer = {"", "Example:", "  berth plugin resume ebs"})
final class PluginResumeCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PLUGIN", description = "The plugin.")
  private String plugin = "";

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;

  PluginResumeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            plugin,
            SubmitCommandRequest.newBuilder()
                .setResume(ResumeCommand.newBuilder().setPlugin(plugin))
                .build());
    return options.submit(terminal, "PLUGIN", asked);
  }
}
