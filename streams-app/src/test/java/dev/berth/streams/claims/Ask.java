package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.JobType;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A claim in the making.
 *
 * @param alloc alloc id
 * @param node node of the alloc
 * @param mode read or write
 * @param access access mode
 * @param attachment attachment mode
 * @param promise stop-on-disconnect promise; null when none
 * @param scheduler scheduler of the alloc
 */
record Ask(
    String alloc,
    String node,
    ClaimMode mode,
    AccessMode access,
    AttachmentMode attachment,
    @Nullable Duration promise,
    String scheduler) {

  static Ask writer(String alloc, String node, AccessMode access) {
    return new Ask(alloc, node, ClaimMode.WRITE, access, AttachmentMode.FILE_SYSTEM, null, "nomad");
  }

  static Ask reader(String alloc, String node, AccessMode access) {
    return new Ask(alloc, node, ClaimMode.READ, access, AttachmentMode.FILE_SYSTEM, null, "nomad");
  }

  /** The only writer of a single-node volume. */
  static Ask owner(String alloc, String node) {
    return writer(alloc, node, AccessMode.SINGLE_NODE_WRITER);
  }

  /** One of many writers of a shared volume. */
  static Ask sharer(String alloc, String node) {
    return writer(alloc, node, AccessMode.MULTI_NODE_MULTI_WRITER);
  }

  Ask asBlockDevice() {
    return new Ask(alloc, node, mode, access, AttachmentMode.BLOCK_DEVICE, promise, scheduler);
  }

  Ask promising(Duration stop) {
    return new Ask(alloc, node, mode, access, attachment, stop, scheduler);
  }

  Ask by(String other) {
    return new Ask(alloc, node, mode, access, attachment, promise, other);
  }

  ClaimAsk at(String requestId, Instant time) {
    return new ClaimAsk(
        scheduler,
        requestId,
        node,
        "job",
        JobType.SERVICE,
        mode,
        access,
        attachment,
        promise,
        time);
  }
}
