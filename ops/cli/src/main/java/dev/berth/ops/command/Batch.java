package dev.berth.ops.command;

import dev.berth.ops.command.Answered.Outcome;
import dev.berth.ops.terminal.Progress;
import dev.berth.producers.InvalidEventException;
import dev.berth.producers.files.Located;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Sends many things, some at a time, and gathers what became of each. */
final class Batch {

  /** Fewer than would be noticed by others who ask. */
  private static final int IN_FLIGHT = 200;

  private final Progress progress;
  private final Duration patience;

  /**
   * A batch.
   *
   * @param patience how long to wait for each answer
   */
  Batch(Progress progress, Duration patience) {
    this.progress = progress;
    this.patience = patience;
  }

  /** Sends commands that Berth answers. */
  <T> List<Answered> ask(
      List<Located<T>> items,
      Function<T, String> subject,
      Function<T, CompletableFuture<CommandResult>> send)
      throws InterruptedException {
    return run(items, subject, item -> send.apply(item).thenApply(Batch::answered));
  }

  /** Writes records that nobody answers. */
  <T> List<Answered> write(
      List<Located<T>> items,
      Function<T, String> subject,
      Function<T, CompletableFuture<Void>> write)
      throws InterruptedException {
    return run(
        items,
        subject,
        item ->
            write
                .apply(item)
                .thenApply(done -> new Answered(subject.apply(item), Outcome.OK, null, "written")));
  }

  private <T> List<Answered> run(
      List<Located<T>> items,
      Function<T, String> subject,
      Function<T, CompletableFuture<Answered>> send)
      throws InterruptedException {
    List<Answered> answers = new ArrayList<>();
    for (int from = 0; from < items.size(); from += IN_FLIGHT) {
      List<CompletableFuture<Answered>> sent = new ArrayList<>();
      List<Located<T>> some = items.subList(from, Math.min(from + IN_FLIGHT, items.size()));
      for (Located<T> item : some) {
        sent.add(sent(item, send));
      }
      for (int i = 0; i < sent.size(); i++) {
        answers.add(await(subject.apply(some.get(i).value()), sent.get(i)));
        progress.at(answers.size());
      }
    }
    return answers;
  }

  private static <T> CompletableFuture<Answered> sent(
      Located<T> item, Function<T, CompletableFuture<Answered>> send) {
    try {
      return send.apply(item.value());
    } catch (InvalidEventException e) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException(
              "%s:%d: %s".formatted(item.file(), item.line(), e.getMessage()), e));
    }
  }

  private Answered await(String subject, CompletableFuture<Answered> answer)
      throws InterruptedException {
    try {
      Answered answered = answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      // Shown as the user wrote it, whatever Berth calls it.
      return new Answered(subject, answered.outcome(), answered.code(), answered.message());
    } catch (ExecutionException e) {
      return new Answered(
          subject,
          Outcome.FAILED,
          null,
          Failure.describe(Objects.requireNonNullElse(e.getCause(), e)));
    } catch (TimeoutException e) {
      return new Answered(
          subject,
          Outcome.FAILED,
          null,
          "no answer within %d s; it stands and may still be carried out: is the Streams application running?"
              .formatted(patience.toSeconds()));
    }
  }

  private static Answered answered(CommandResult result) {
    boolean done = result.getOutcome() == CommandOutcome.OK;
    return new Answered(
        result.getSubject(),
        done ? Outcome.OK : Outcome.REFUSED,
        result.getCode().orElse(null),
        result.getMessage());
  }
}
