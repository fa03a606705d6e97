package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.proto.api.PauseCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
final class PluginPauseCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PLUGIN", description = "The plugin.")
  private String plugin = "";

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;

  PluginPauseCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    SubmitOptions.Asked asked =
        new SubmitOptions.Asked(
            plugin,
            SubmitCommandRequest.newBuilder()
                .setPause(PauseCommand.newBuilder().setPlugin(plugin))
                .build());
    return options.submit(terminal, "PLUGIN", asked);
  }
}
