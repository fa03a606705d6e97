package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import picocli.CommandLine;

/**
 * A command of another module on the class path, found with {@link java.util.ServiceLoader}: so
 * that {@code berth} does not depend on what only some of its runs need.
 */
public interface CommandModule {
  /**
   * The command with its subcommands. Help, colours and what is said of a wrong command line are
   * added to it.
   */
  CommandLine command(Terminal terminal);
}
