package dev.berth.bench.system;

import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Waits for what was asked. */
final class Answers {
  private static final Duration FOR_COMMANDS = Duration.ofMinutes(2);

  private Answers() {}

  /** Sends a command for each of some subjects, and returns when all are carried out. */
  static <T> void insist(
      Collection<T> subjects, Function<T, CompletableFuture<CommandResult>> command)
      throws InterruptedException {
    for (CommandResult result : await(subjects.stream().map(command).toList(), FOR_COMMANDS)) {
      if (result.getOutcome() != CommandOutcome.OK) {
        throw new IllegalStateException("a command was not carried out: " + result);
      }
    }
  }

  /** The answers, in the order of what was asked. */
  static <T> List<T> await(Collection<CompletableFuture<T>> futures, Duration within)
      throws InterruptedException {
    try {
      CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
          .get(within.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "%d of %d were not answered within %d s"
              .formatted(
                  futures.stream().filter(future -> !future.isDone()).count(),
                  futures.size(),
                  within.toSeconds()),
          e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("not carried out: " + e.getCause(), e);
    }
    return futures.stream().map(CompletableFuture::join).toList();
  }
}
