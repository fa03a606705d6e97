package dev.berth.ops.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth topics}: commands about the topic catalogue. */
@Command(
    name = "topics",
    description = "Shows, creates and checks the topics that Berth lives on.",
    footer = {
      "",
      "Examples:",
      "  berth topics describe",
      "  berth topics create --config berth.properties",
      "  berth topics check --config berth.properties"
    })
final class TopicsCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command: say what about the topics");
  }
}
