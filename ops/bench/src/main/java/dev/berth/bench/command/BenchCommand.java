package dev.berth.bench.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth bench}. */
@Command(
    name = "bench",
    description = {
      "Measures Berth.",
      "Ratios within one run count: machines differ, and others use them. Each",
      "repetition tells how much of the machine others used meanwhile."
    },
    footer = {
      "",
      "Exit codes: 0 measured, 1 not measured (or a goal was missed, with --goals),",
      "2 not understood.",
      "",
      "Examples:",
      "  berth bench all --quick",
      "  berth bench all --out /tmp/bench",
      "  berth bench core -o json"
    })
final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Missing command: give one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
