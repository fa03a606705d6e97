package dev.berth.producers;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Claims that are made again before they are answered. For Berth they are one claim, whose row
 * keeps the latest request only; so the answer to the latest is the answer to those before it.
 */
final class RepeatedClaims {

  private final Map<Use, CompletableFuture<ClaimReply>> latest = new ConcurrentHashMap<>();

  /** What makes two claims of an alloc the same. */
  private record Use(
      String alloc,
      String node,
      String namespace,
      String volume,
      ClaimMode mode,
      AccessMode access,
      AttachmentMode attachment) {
    static Use of(ClaimRequest request) {
      return new Use(
          request.alloc(),
          request.node(),
          request.namespace(),
          request.volume(),
          request.mode(),
          request.access(),
          request.attachment());
    }
  }

  /**
   * Has an earlier open claim of the same use answered with this one. Called in the order in which
   * the claims are written.
   */
  void follow(ClaimRequest request, CompletableFuture<ClaimReply> answer) {
    Use use = Use.of(request);
    CompletableFuture<ClaimReply> before = latest.put(use, answer);
    onCompletion(answer, reply -> ended(use, answer, reply, before));
  }

  private void ended(
      Use use,
      CompletableFuture<ClaimReply> answer,
      @Nullable ClaimReply reply,
      @Nullable CompletableFuture<ClaimReply> before) {
    latest.remove(use, answer);
    if (before == null || before.isDone()) {
      return;
    }
    if (reply != null) {
      before.complete(reply);
    } else {
      // What was not written repeats nothing: the earlier one is the latest again.
      latest.putIfAbsent(use, before);
    }
  }

  /** The future that this makes is of no use: the action above does not fail. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void onCompletion(
      CompletableFuture<ClaimReply> future,
      java.util.function.Consumer<@Nullable ClaimReply> action) {
    future.whenComplete((reply, failure) -> action.accept(reply));
  }
}
