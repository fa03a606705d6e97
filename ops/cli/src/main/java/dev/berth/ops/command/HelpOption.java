package dev.berth.ops.command;

import picocli.CommandLine.Option;

/** The option that every command has. */
final class HelpOption {

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  private boolean asked;

  boolean asked() {
    return asked;
  }
}
