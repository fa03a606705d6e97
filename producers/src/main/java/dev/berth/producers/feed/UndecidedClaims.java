package dev.berth.producers.feed;

import dev.berth.producers.Saying;
import dev.berth.records.ClaimReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims of which Berth has told nothing yet: its first word about a claim, also that it waits, is
 * written together with the claim's row. Asked by one thread; the words come on any.
 */
final class UndecidedClaims {

  private final Map<Long, CompletableFuture<Void>> open = new ConcurrentHashMap<>();
  private long asked;
  private CompletableFuture<Void> latest = new CompletableFuture<>();

  /** What is to be said in its place: a claim whose waiting is heard of here too. */
  Saying told(Saying saying) {
    if (!(saying instanceof Saying.Claims claim)) {
      return saying;
    }
    CompletableFuture<Void> decided = new CompletableFuture<>();
    latest = decided;
    return new Saying.Claims(
        claim.request(),
        waiting -> {
          decided.complete(null);
          claim.whileWaiting().accept(waiting);
        });
  }

  /** It was said; these will be the answers. */
  // What completes here only tells that something has completed.
  @SuppressWarnings("FutureReturnValueIgnored")
  void asked(List<CompletableFuture<ClaimReply>> replies) {
    CompletableFuture<Void> decided = latest;
    for (CompletableFuture<ClaimReply> reply : replies) {
      long number = asked++;
      open.put(number, decided);
      decided.whenComplete((nothing, failed) -> open.remove(number));
      reply.whenComplete((answer, failed) -> decided.complete(null));
    }
  }

  /** Completes when all that were asked so far are decided, or have failed. */
  CompletableFuture<Void> none() {
    return CompletableFuture.allOf(open.values().toArray(CompletableFuture<?>[]::new));
  }
}
