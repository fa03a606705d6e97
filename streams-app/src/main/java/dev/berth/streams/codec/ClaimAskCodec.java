package dev.berth.streams.codec;

import dev.berth.records.ClaimRequested;
import dev.berth.records.ReclaimAsk;
import dev.berth.streams.claims.ClaimAsk;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an alloc asks for, in the three records that carry it: the event, the claim's row, and a
 * newer claim kept in the row. The scheduler stands beside the ask in each of them.
 */
final class ClaimAskCodec {
  private ClaimAskCodec() {}

  /**
   * Reads a claim event.
   *
   * @param at when it is taken to have been asked
   */
  static ClaimAsk decode(ClaimRequested asked, String scheduler, Instant at) {
    return new ClaimAsk(
        scheduler,
        asked.getRequestId(),
        asked.getNode(),
        asked.getJob().orElse(null),
        asked.getJobType(),
        asked.getMode(),
        asked.getAccess(),
        asked.getAttachment(),
        duration(asked.getStopOnDisconnectMillis()),
        at);
  }

  static ClaimAsk decode(dev.berth.records.Claim row) {
    return new ClaimAsk(
        row.getScheduler(),
        row.getRequestId(),
        row.getNode(),
        row.getJob().orElse(null),
        row.getJobType(),
        row.getMode(),
        row.getAccess(),
        row.getAttachment(),
        duration(row.getStopOnDisconnectMillis()),
        row.getClaimedAt());
  }

  static ClaimAsk decode(ReclaimAsk again, String scheduler) {
    return new ClaimAsk(
        scheduler,
        again.getRequestId(),
        again.getNode(),
        again.getJob().orElse(null),
        again.getJobType(),
        again.getMode(),
        again.getAccess(),
        again.getAttachment(),
        duration(again.getStopOnDisconnectMillis()),
        again.getAt(),
        again.getGeneration());
  }

  static ReclaimAsk encode(ClaimAsk again) {
    return ReclaimAsk.newBuilder()
        .setRequestId(again.requestId())
        .setNode(again.node())
        .setJob(again.job())
        .setJobType(again.jobType())
        .setMode(again.mode())
        .setAccess(again.access())
        .setAttachment(again.attachment())
        .setStopOnDisconnectMillis(millis(again.stopOnDisconnect()))
        .setAt(again.at())
        .setGeneration(again.generation())
        .build();
  }

  static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }

  private static @Nullable Duration duration(Optional<Long> millis) {
    return millis.map(Duration::ofMillis).orElse(null);
  }
}
