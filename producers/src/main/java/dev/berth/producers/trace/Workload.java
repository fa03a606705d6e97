package dev.berth.producers.trace;

import dev.berth.records.ClaimReply;
import java.util.concurrent.CompletableFuture;

/**
 * What the allocs' clients do on their nodes, for volumes that clients mount ({@link
 * TraceVolume#clientMounts}). Called on the thread of the replay: do not block in it, return a
 * future. Both calls may be repeated for the same alloc and volume after a resume. A future that
 * fails ends the replay.
 */
public interface Workload {

  /**
   * Mounts a volume whose claim was granted; the alloc runs when all its volumes are mounted.
   *
   * @param granted the reply, with the publish context
   */
  CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply granted);

  /** Unmounts a volume; that it is unmounted is said when the future completes. */
  CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use);

  /** Nothing is mounted, it is only said. */
  static Workload stated() {
    return new Workload() {
      @Override
      public CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply granted) {
        return CompletableFuture.completedFuture(null);
      }

      @Override
      public CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use) {
        return CompletableFuture.completedFuture(null);
      }
    };
  }
}
