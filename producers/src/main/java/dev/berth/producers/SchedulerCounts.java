package dev.berth.producers;

import dev.berth.records.ClaimReply;
import dev.berth.records.ReplyOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what became of claims and statements, from the futures that their callers have. Safe for
 * use by many threads.
 */
final class SchedulerCounts {
  private final LongSupplier nanoTime;
  private final Tally granted = new Tally();
  private final Tally rejected = new Tally();
  private final Tally unanswered = new Tally();
  private final Tally written = new Tally();
  private final Tally notWritten = new Tally();

  /**
   * Nothing is counted yet.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  SchedulerCounts(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A claim was made now. */
  void follow(CompletableFuture<ClaimReply> claim) {
    long began = nanoTime.getAsLong();
    onCompletion(claim, (reply, failure) -> claimTally(reply).add(nanoTime.getAsLong() - began));
  }

  /** A statement was made now. */
  void followStatement(CompletableFuture<Void> statement) {
    long began = nanoTime.getAsLong();
    onCompletion(
        statement,
        (nothing, failure) ->
            (failure == null ? written : notWritten).add(nanoTime.getAsLong() - began));
  }

  private Tally claimTally(@Nullable ClaimReply reply) {
    if (reply == null) {
      return unanswered;
    }
    return reply.getOutcome() == ReplyOutcome.GRANTED ? granted : rejected;
  }

  /**
   * What was counted so far.
   *
   * @param openClaims claims without a final reply (count)
   * @param writes what writes the statements
   */
  SchedulerMetrics read(int openClaims, GroupCommit writes) {
    return new SchedulerMetrics(
        openClaims,
        granted.read(),
        rejected.read(),
        unanswered.read(),
        writes.queued(),
        written.read(),
        notWritten.read(),
        writes.committed(),
        writes.failed(),
        writes.isOver());
  }

  /** The future that this makes is of no use: the action does not fail. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private static <T> void onCompletion(
      CompletableFuture<T> future, BiConsumer<? super T, ? super Throwable> action) {
    future.whenComplete(action);
  }
}
