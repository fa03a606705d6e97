package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code berth completion}. */
@Command(
    name = "completion",
    description = {
      "Prints a script that lets bash and zsh complete berth's commands.",
      "For this shell alone, or into a file that every shell reads."
    },
    footer = {
      "",
      "Examples:",
      "  source <(berth completion)",
      "  berth completion > ~/.local/share/bash-completion/completions/berth"
    })
final class CompletionCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("berth", spec.root().commandLine()));
    terminal.out().flush();
    return ExitCode.OK;
  }
}
