package dev.berth.producers;

import java.time.Duration;

/**
 * What a {@link Scheduler} has done since it was started, and what it has in hand. All counts begin
 * with 0 and only rise. {@code metrics.SchedulerMeters} shows them through Micrometer.
 *
 * @param openClaims claims without a final reply (count)
 * @param granted claims that were granted, and the times from the call to the grant
 * @param rejected claims that were rejected, and the times to that
 * @param unanswered claims that ended here without a reply: not written, cancelled by the caller,
 *     or open when the library was closed
 * @param queuedStatements statements that wait to be written (count); the transaction under way is
 *     not among them
 * @param written statements that are committed, and the times from the call to the commit
 * @param notWritten statements whose callers were told of a failure, and the times to that
 * @param transactions transactions that were committed (count)
 * @param failedTransactions transactions that failed or whose end is not known (count); most are
 *     written again
 * @param over whether nothing is written any more: closed, failed for good, or another process has
 *     taken over the scheduler's id
 */
public record SchedulerMetrics(
    int openClaims,
    Timed granted,
    Timed rejected,
    Timed unanswered,
    int queuedStatements,
    Timed written,
    Timed notWritten,
    long transactions,
    long failedTransactions,
    boolean over) {

  /**
   * Things that ended.
   *
   * @param count how many (count)
   * @param time how long they took in all
   */
  public record Timed(long count, Duration time) {}
}
