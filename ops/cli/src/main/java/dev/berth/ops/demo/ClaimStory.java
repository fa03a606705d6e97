package dev.berth.ops.demo;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of one claim, as its scheduler saw it.
 *
 * @param alloc alloc id
 * @param volume the volume
 * @param waited why it waited, in the words of the reply; empty when it was not told to wait
 * @param answer how it was answered
 * @param untilAnswer from the asking until the answer, or until the end of the run
 * @param released whether its row was seen to go
 */
public record ClaimStory(
    String alloc,
    DemoVolume volume,
    Optional<String> waited,
    Answer answer,
    Duration untilAnswer,
    boolean released) {

  /** How a claim was answered. */
  public enum Answer {
    GRANTED,
    REJECTED,
    NONE
  }
}
