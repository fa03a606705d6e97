package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What is submitted through the API and loses nothing. */
abstract class SubmittedCommand implements Callable<Integer> {

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;
  private final String head;

  /**
   * Prepares.
   *
   * @param head what such commands are about, as the head of a column
   */
  SubmittedCommand(Terminal terminal, String head) {
    this.terminal = terminal;
    this.head = head;
  }

  /** What is asked for, as the command line says. */
  abstract Asked asked();

  @Override
  public Integer call() throws Exception {
    return options.submit(terminal, head, asked());
  }
}
