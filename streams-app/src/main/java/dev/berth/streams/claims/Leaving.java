package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How claims end and are rejected: the beginning of their way out. */
final class Leaving {
  private Leaving() {}

  /**
   * Whether a client status says that the alloc is over. A stop wish and a missing sign of life do
   * not (nomad#4940).
   */
  static boolean over(ClientStatus client) {
    return switch (client) {
      case COMPLETE, FAILED, LOST -> true;
      case PENDING, RUNNING, UNKNOWN, UNRECOGNIZED -> false;
    };
  }

  /** Ends a claim whose alloc or node is over, and rejects one that was not granted in time. */
  static void endIfOver(VolumeDraft v, Claim claim) {
    NodeView node = v.node(claim);
    Policy policy = v.policy(claim);
    if (claim.ending() != null) {
      endAskIfOver(v, claim, policy.readyTimeout());
    } else if (over(claim.client())) {
      end(v, claim, EndCause.ALLOC_TERMINAL);
    } else if (node != null && node.status() == NodeStatus.GONE) {
      end(v, claim, EndCause.NODE_LOSS);
    } else if (NodeLoss.unmounted(node, claim, policy, v.now()) != null) {
      // Also while it only waits: its turn would attach the volume to a node that is out of use.
      end(v, claim, EndCause.NODE_LOSS);
    } else if (!claim.granted() && !v.now().isBefore(deadline(claim.ask(), policy))) {
      reject(v, claim, RejectCode.TIMEOUT, tooLate(policy.readyTimeout()));
    }
  }

  /**
   * Ends the claims whose allocs are known to be over although their rows do not say so: a hand
   * edit, an older version or a bug left them, and no event will ever come for them. For sweeps: it
   * reads all that is remembered.
   */
  static void endForgotten(VolumeDraft v) {
    v.memories().forEach(memory -> endIfRemembered(v, v.claim(memory.alloc())));
  }

  /**
   * Ends a claim that is over as far as anything is known, so that a guard which looks at it next
   * judges by the same rule as everything else.
   */
  static void endIfKnownOver(VolumeDraft v, Claim claim) {
    endIfOver(v, claim);
    endIfRemembered(v, v.claim(claim.alloc()));
  }

  /** Ends one claim like that, which keeps another one waiting. */
  static void endIfRemembered(VolumeDraft v, @Nullable Claim claim) {
    AllocMemory memory =
        claim == null ? null : AllocMemories.of(v, claim.alloc(), claim.ask().scheduler());
    if (claim == null || claim.ending() != null || memory == null) {
      return;
    }
    switch (memory.fate()) {
      case GONE -> end(v, claim, EndCause.ALLOC_GONE);
      case TERMINAL -> end(v, claim, EndCause.ALLOC_TERMINAL);
      case RELEASED -> {
        // It lives, and has claimed again.
      }
    }
  }

  private static void endAskIfOver(VolumeDraft v, Claim claim, Duration readyTimeout) {
    ClaimAsk again = claim.again();
    if (again != null && !v.now().isBefore(again.at().plus(readyTimeout))) {
      refuse(v, claim.alloc(), again, RejectCode.TIMEOUT, tooLate(readyTimeout));
      v.put(claim.edit().again(null).done());
    }
  }

  private static String tooLate(Duration readyTimeout) {
    return "not granted within the ready timeout of " + readyTimeout;
  }

  /** When what a claim asks for is rejected if nothing else happens; null when it never is. */
  static @Nullable Instant deadline(Claim claim, Policy policy) {
    ClaimAsk again = claim.again();
    if (again != null) {
      return deadline(again, policy);
    }
    return claim.granted() || claim.ending() != null ? null : deadline(claim.ask(), policy);
  }

  private static Instant deadline(ClaimAsk ask, Policy policy) {
    return ask.at().plus(policy.readyTimeout());
  }

  /**
   * Starts a claim's way out. One that only waits is dropped: it was never taken and causes no RPC.
   */
  static void end(VolumeDraft v, Claim claim, EndCause cause) {
    if (!claim.granted() && claim.rejected() == null) {
      reply(
          v, claim, RejectCode.ALLOC_TERMINAL, "the alloc ended before the grant: " + words(cause));
    }
    leave(v, claim, cause);
  }

  /**
   * Ends a claim on a lost node by an operator's word for the volume. Its alloc may live: one that
   * was not granted hears that it cannot be served there, and may ask again.
   */
  static void unblocked(VolumeDraft v, Claim claim) {
    if (claim.granted()) {
      end(v, claim, EndCause.OPERATOR_DETACH);
    } else {
      String message =
          "node %s is lost and an operator unblocked the volume: claim again when the node is back"
              .formatted(claim.node());
      reject(v, claim, RejectCode.UNSCHEDULABLE, message);
    }
  }

  /** Rejects a claim and gives back what it has. */
  static void reject(VolumeDraft v, Claim claim, RejectCode code, String message) {
    reply(v, claim, code, message);
    v.happened("rejected", claim, code.name(), message);
    leave(v, claim.edit().rejected(new Claim.Rejection(code, message)).done(), EndCause.REJECTED);
  }

  /**
   * Rejects what has no row of its own: a claim that fails its checks, or one made again too late.
   */
  static void refuse(VolumeDraft v, String alloc, ClaimAsk ask, RejectCode code, String message) {
    v.emit(
        new ClaimsEffect.Replied(
            v.key(), alloc, ask, 0, ReplyOutcome.REJECTED, code, null, message, null, Map.of()));
    v.emit(new ClaimsEffect.Happened("rejected", alloc, ask.node(), code.name(), message));
  }

  private static void leave(VolumeDraft v, Claim claim, EndCause cause) {
    if (!claim.counts()) {
      Releasing.free(v, claim, words(cause));
      return;
    }
    boolean heldForAttach = claim.granted() && !NodeSteps.waitsForLostNode(claim);
    Claim ended = heldForAttach ? Holding.unhold(v, claim, words(cause)) : claim;
    // Neither the client nor a node worker was told to mount: there is nothing to unmount.
    boolean mayBeMounted = claim.granted() || claim.nodePublishAsked();
    Claim leaving =
        ended
            .edit()
            .state(ClaimState.UNPUBLISHING, v.now())
            .ending(new Claim.Ending(v.now(), cause))
            .nodeStep(mayBeMounted ? claim.nodeStep() : NodeStep.NOT_MOUNTED)
            .done();
    v.put(Releasing.withdraw(v, leaving));
    v.happened("unpublishing", claim, null, words(cause));
  }

  private static void reply(VolumeDraft v, Claim claim, RejectCode code, String message) {
    v.emit(
        new ClaimsEffect.Replied(
            v.key(),
            claim.alloc(),
            claim.ask(),
            claim.generation(),
            ReplyOutcome.REJECTED,
            code,
            null,
            message,
            null,
            Map.of()));
  }

  private static String words(EndCause cause) {
    return switch (cause) {
      case NONE -> "still live";
      case ALLOC_TERMINAL -> "the alloc ended";
      case ALLOC_GONE -> "the scheduler no longer knows the alloc";
      case CLIENT_UNPUBLISHED -> "the client unpublished it";
      case OPERATOR_DETACH -> "an operator detached it";
      case NODE_LOSS -> "its node is lost";
      case REJECTED -> "the claim was rejected";
    };
  }
}
