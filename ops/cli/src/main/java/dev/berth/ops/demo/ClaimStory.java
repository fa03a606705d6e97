package dev.berth.ops.demo;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of one claim, as Berth's topics tell it. That of a process that was killed is there
 * too.
 *
 * @param claim which
 * @param askedAt when it was first asked for (scheduler's clock)
 * @param waited why it waited, in the words of the last reply that told it to; empty when none did
 * @param answer how it was first answered for good
 * @param reason code and words of a rejection; empty otherwise
 * @param answeredAt when that was decided (clock of the Streams instance); empty while it waits
 * @param taken how often it was taken (count)
 * @param released how often its row went (count)
 */
public record ClaimStory(
    ClaimId claim,
    Instant askedAt,
    Optional<String> waited,
    Answer answer,
    String reason,
    Optional<Instant> answeredAt,
    int taken,
    int released) {

  /** How a claim was answered. */
  public enum Answer {
    GRANTED,
    REJECTED,
    NONE
  }

  /**
   * A claim of the replay.
   *
   * @param alloc alloc id
   * @param volume volume id
   */
  public record ClaimId(String alloc, String volume) {
    @Override
    public String toString() {
      return alloc + " on " + volume;
    }
  }

  /** From the asking until the answer; empty while it waits. */
  public Optional<Duration> untilAnswer() {
    return answeredAt.map(at -> Duration.between(askedAt, at));
  }

  /** Whether the claim was granted, and released as often as it was taken. */
  public boolean isWhole() {
    return answer == Answer.GRANTED && taken > 0 && released == taken;
  }
}
