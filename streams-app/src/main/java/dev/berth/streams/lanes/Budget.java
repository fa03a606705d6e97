package dev.berth.streams.lanes;

import dev.berth.records.RpcCode;
import dev.berth.streams.policy.Policy.Backoff;
import dev.berth.streams.work.Hold;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a call has used up of its attempts.
 *
 * @param attempts failures that count toward the dead letter
 * @param failures failures in all, by which the backoff grows
 * @param unclear answers INTERNAL, UNKNOWN or DATA_LOSS, of which an attach bears three
 * @param firstFailure first failure; null when none
 * @param lastFailure last failure; null when none
 * @param abortedSince first of the ABORTED answers in a row; null when the last answer was another
 * @param stuck whether it is used up: an operator was told, retries go on at the longest interval
 */
public record Budget(
    int attempts,
    int failures,
    int unclear,
    @Nullable Instant firstFailure,
    @Nullable Instant lastFailure,
    @Nullable Instant abortedSince,
    boolean stuck) {

  /** A whole budget. */
  static final Budget NEW = new Budget(0, 0, 0, null, null, null, false);

  /** How long ABORTED asks for patience before it counts (domain rule "Errors"). */
  static final Duration PATIENCE = Duration.ofMinutes(30);

  /** How soon a missing secret is looked for again (domain rule "Secrets": every few seconds). */
  static final Duration SECRET_RETRY = Duration.ofSeconds(5);

  /**
   * What is left to a call that was asked for in the place of another of its step.
   *
   * @param before that one's hold; null when there was none
   */
  static Budget goingOn(@Nullable Hold before) {
    if (before == null) {
      return NEW;
    }
    // Nothing was counted as long as it was only ABORTED: its patience began with the first.
    Instant patientSince = before.attempts() == 0 ? before.firstFailure() : before.lastFailure();
    return new Budget(
        before.attempts(),
        before.attempts(),
        0,
        before.firstFailure(),
        before.lastFailure(),
        before.rpcCode() == RpcCode.ABORTED ? patientSince : null,
        before.stuck());
  }

  /** The budget after a failure. */
  Budget after(Failure failure, Instant now, int maxAttempts) {
    boolean busy = failure.kind() == Failure.Kind.BUSY;
    Instant busySince = !busy ? null : abortedSince == null ? now : abortedSince;
    boolean counts = busySince == null || !now.isBefore(busySince.plus(PATIENCE));
    int counted = counts ? increased(attempts) : attempts;
    return new Budget(
        counted,
        increased(failures),
        unclear,
        firstFailure == null ? now : firstFailure,
        now,
        busySince,
        stuck || failure.kind() == Failure.Kind.DEFINITE || counted >= maxAttempts);
  }

  /** The budget with one more unclear answer. */
  Budget withUnclear() {
    return new Budget(
        attempts, failures, increased(unclear), firstFailure, lastFailure, abortedSince, stuck);
  }

  /** How long to wait after the failure that led to this budget. */
  Duration wait(Failure.Kind kind, Backoff backoff, double spread) {
    if (kind == Failure.Kind.SECRET) {
      return SECRET_RETRY;
    }
    return stuck ? backoff.longest(spread) : backoff.after(failures, spread);
  }

  // Counts end somewhere below overflow; nobody tells a million failures from more.
  private static int increased(int count) {
    return Math.min(count + 1, 1_000_000);
  }
}
