package dev.berth.producers.trace;

import dev.berth.records.ClaimReply;
import dev.berth.records.ReplyOutcome;
import java.time.Duration;
import java.util.Optional;

/** What was seen of one claim. Owned by the thread of the replay. */
final class ClaimTrack {

  private final String alloc;
  private final TraceUse use;
  private long askedNanos;
  private Optional<Long> answeredNanos = Optional.empty();
  private Optional<ClaimReply> lastWait = Optional.empty();
  private Optional<ClaimReply> reply = Optional.empty();

  ClaimTrack(String alloc, TraceUse use) {
    this.alloc = alloc;
    this.use = use;
  }

  TraceUse use() {
    return use;
  }

  void asked(long nanos) {
    askedNanos = nanos;
  }

  void waiting(ClaimReply waiting) {
    // Who holds the volume is worth more than that the attach then takes its time.
    if (lastWait.flatMap(ClaimReply::getHeldBy).isEmpty() || waiting.getHeldBy().isPresent()) {
      lastWait = Optional.of(waiting);
    }
  }

  void answered(ClaimReply answer, long nanos) {
    reply = Optional.of(answer);
    answeredNanos = Optional.of(nanos);
  }

  Optional<ClaimReply> reply() {
    return reply;
  }

  boolean isGranted() {
    return reply.filter(answer -> answer.getOutcome() == ReplyOutcome.GRANTED).isPresent();
  }

  long generation() {
    return reply.map(ClaimReply::getClaimGeneration).orElse(0L);
  }

  ClaimTimes times() {
    return new ClaimTimes(
        alloc,
        use,
        Duration.ofNanos(askedNanos),
        answeredNanos.map(Duration::ofNanos),
        lastWait.map(ClaimReply::getMessage),
        lastWait.flatMap(ClaimReply::getHeldBy),
        reply.flatMap(ClaimReply::getCode));
  }
}
