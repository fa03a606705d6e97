package dev.berth.producers.trace;

import dev.berth.records.RejectCode;
import java.time.Duration;
import java.util.Optional;

/**
 * What became of one claim, as the replay saw it. Durations count from the beginning of the run.
 *
 * @param alloc alloc id
 * @param use the volume and how it is used
 * @param asked when it was claimed
 * @param answered when it was granted or rejected; empty when the run ended before
 * @param waited why it waited, in the words of the last such reply; empty when it was not told to
 * @param heldBy the alloc that held the volume; empty when none was named
 * @param rejected why it was rejected; empty when it was not
 */
public record ClaimTimes(
    String alloc,
    TraceUse use,
    Duration asked,
    Optional<Duration> answered,
    Optional<String> waited,
    Optional<String> heldBy,
    Optional<RejectCode> rejected) {

  /** From the asking to the answer; empty when there was none. */
  public Optional<Duration> untilAnswered() {
    return answered.map(at -> at.minus(asked));
  }
}
