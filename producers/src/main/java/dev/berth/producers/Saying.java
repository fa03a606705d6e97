package dev.berth.producers;

import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One thing a scheduler says of one of its allocs. Several can be said together, in one
 * transaction: see {@link Scheduler#say}.
 */
public sealed interface Saying {

  /**
   * The alloc claims a volume.
   *
   * @param whileWaiting told why the claim waits, on the thread that reads replies
   */
  record Claims(ClaimRequest request, Consumer<ClaimReply> whileWaiting) implements Saying {}

  /** What the client reports of the alloc, and what is wanted of it. */
  record Status(Alloc alloc, ClientStatus client, DesiredStatus desired) implements Saying {}

  /** The client has unmounted the alloc's volumes. */
  record Unmounted(Alloc alloc) implements Saying {}

  /**
   * The client tried to unmount the alloc's volumes and failed.
   *
   * @param error the client's error text; no secrets
   */
  record UnmountFailed(Alloc alloc, String error) implements Saying {}

  /** The scheduler no longer knows the alloc. */
  record Gone(Alloc alloc) implements Saying {}

  /**
   * What follows from having said something.
   *
   * @param written completes when it is committed; fails with {@link WriteFailedException}
   * @param replies the final replies to the claims among it, in their order; each fails as {@code
   *     written} does, and with {@link ClosedException} when the library is closed before it came
   */
  record Said(CompletableFuture<Void> written, List<CompletableFuture<ClaimReply>> replies) {

    /** Copies the list. */
    public Said {
      replies = List.copyOf(replies);
    }
  }
}
