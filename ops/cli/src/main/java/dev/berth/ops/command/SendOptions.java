package dev.berth.ops.command;

import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Phrases;
import dev.berth.streams.policy.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What all commands that send records have in common: connection, output, patience. */
final class SendOptions {

  @Mixin private final ConnectionOptions connection = new ConnectionOptions();

  @Option(
      names = "--wait",
      paramLabel = "DURATION",
      defaultValue = "1m",
      description = "How long to wait for each answer, such as 30s (default: ${DEFAULT-VALUE}).")
  private String patience = "1m";

  @Option(
      names = "--dry-run",
      description = "Only reads and checks; needs no connection, sends nothing.")
  private boolean dryRun;

  @Mixin private final OutputOption output = new OutputOption();

  ConnectionOptions connection() {
    return connection;
  }

  boolean dryRun() {
    return dryRun;
  }

  /** Something that is sent in a batch. */
  @FunctionalInterface
  interface Sending {
    List<Answered> send(Batch batch) throws InterruptedException;
  }

  /**
   * Sends, tells of the progress, prints what became of it.
   *
   * @param doing what goes on, in words
   * @param count how many things are sent
   * @param head what is asked for, as the head of a column
   * @return the exit code
   */
  int send(Terminal terminal, String doing, int count, String head, Sending sending)
      throws InterruptedException {
    Duration wait = patience();
    List<Answered> answers;
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      progress.step(doing, count);
      answers = sending.send(new Batch(progress, wait));
    }
    return Answered.print(terminal, output.format(), head, answers);
  }

  /** Runs a command that reads files; what is wrong in them is printed as it stands. */
  static int reading(Terminal terminal, Callable<Integer> command) throws Exception {
    try {
      return command.call();
    } catch (InvalidInputException e) {
      e.problems().forEach(terminal.err()::println);
      terminal.err().println(terminal.bad("berth: " + e.getMessage()));
      return ExitCode.FAILED;
    }
  }

  /**
   * Ends a dry run: says that it found nothing wrong, once the options are looked at too.
   *
   * @param one what was checked, as one of them is called
   */
  int checked(Terminal terminal, int count, String one) {
    Duration unused = patience();
    output.print(
        terminal,
        () -> JsonOutput.mapper().createObjectNode().put("checked", count).put("sent", 0),
        () -> List.of(Phrases.count(count, one) + ", nothing wrong; nothing was sent"));
    return ExitCode.OK;
  }

  private Duration patience() {
    return DurationText.parse(patience)
        .orElseThrow(
            () ->
                connection.usage("--wait: '" + patience + "' is no duration: write 30s, 2m or 1h"));
  }
}
