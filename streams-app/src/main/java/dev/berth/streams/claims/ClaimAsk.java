package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.JobType;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an alloc asked for.
 *
 * @param scheduler scheduler of the alloc
 * @param requestId request id, repeated in replies
 * @param node node of the alloc (scheduler's id)
 * @param job job, for display; null when unknown
 * @param jobType job type, for display
 * @param mode read or write
 * @param access CSI access mode
 * @param attachment file system or block device
 * @param stopOnDisconnect time after losing contact at which the alloc stops itself; null when it
 *     made no such promise
 * @param at when it was asked
 * @param generation of a claim that waits behind its alloc's leaving row: the generation that it
 *     will have, so that it keeps its place among those who asked at the same time; else 0
 */
public record ClaimAsk(
    String scheduler,
    String requestId,
    String node,
    @Nullable String job,
    JobType jobType,
    ClaimMode mode,
    AccessMode access,
    AttachmentMode attachment,
    @Nullable Duration stopOnDisconnect,
    Instant at,
    long generation) {

  /** One that gets its generation with its row. */
  public ClaimAsk(
      String scheduler,
      String requestId,
      String node,
      @Nullable String job,
      JobType jobType,
      ClaimMode mode,
      AccessMode access,
      AttachmentMode attachment,
      @Nullable Duration stopOnDisconnect,
      Instant at) {
    this(
        scheduler,
        requestId,
        node,
        job,
        jobType,
        mode,
        access,
        attachment,
        stopOnDisconnect,
        at,
        0);
  }

  /** Whether it writes. */
  public boolean writes() {
    return mode == ClaimMode.WRITE;
  }

  ClaimAsk repeated(String newRequestId) {
    return with(newRequestId, generation);
  }

  ClaimAsk withGeneration(long kept) {
    return with(requestId, kept);
  }

  private ClaimAsk with(String newRequestId, long newGeneration) {
    return new ClaimAsk(
        scheduler,
        newRequestId,
        node,
        job,
        jobType,
        mode,
        access,
        attachment,
        stopOnDisconnect,
        at,
        newGeneration);
  }
}
