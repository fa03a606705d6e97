package dev.berth.ops.command;

import dev.berth.ops.command.SubmitOptions.Asked;
import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** What is submitted through the API once somebody has said yes, because it can lose data. */
abstract class DangerousCommand implements Callable<Integer> {

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;
  private final Question question;
  private final String head;

  /**
   * Prepares.
   *
   * @param question whom to ask
   * @param head what such commands are about, as the head of a column
   */
  DangerousCommand(Terminal terminal, Question question, String head) {
    this.terminal = terminal;
    this.question = question;
    this.head = head;
  }

  /**
   * What is to be done.
   *
   * @param does what it does, a sentence
   * @param loses what could be lost, a sentence
   * @param hit the claims that it is about
   * @param asked what is submitted
   */
  record Intent(String does, String loses, AtStake hit, Asked asked) {}

  /** What the command line says. */
  abstract Intent intent();

  @Override
  public Integer call() throws Exception {
    Intent intent = intent();
    Optional<String> reason =
        danger.confirmed(
            terminal,
            question,
            intent.does(),
            intent.loses(),
            () -> intent.hit().lines(options.api().target()),
            options.reason());
    return reason.isEmpty()
        ? ExitCode.FAILED
        : options.submit(terminal, head, intent.asked(), reason.get());
  }
}
