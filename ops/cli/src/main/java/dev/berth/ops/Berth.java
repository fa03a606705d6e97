package dev.berth.ops;

import dev.berth.ops.command.BerthCommand;
import dev.berth.ops.logging.LogFile;
import dev.berth.ops.terminal.Terminal;

/** The {@code berth} command. */
public final class Berth {

  private Berth() {}

  /** Runs a command line and ends the process with its exit code. */
  public static void main(String[] args) {
    LogFile.silence();
    System.exit(BerthCommand.run(Terminal.system(), args));
  }
}
