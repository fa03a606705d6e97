package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.VolumeState;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How claims end, are rejected and are freed. */
final class Releasing {
  private Releasing() {}

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
    if (claim.ending() != null) {
      return;
    }
    NodeView node = v.node(claim.node());
    Policy policy = policy(v, claim);
    if (over(claim.client())) {
      end(v, claim, EndCause.ALLOC_TERMINAL);
    } else if (node != null && node.status() == NodeStatus.GONE) {
      end(v, claim, EndCause.NODE_LOSS);
    } else if (claim.counts() && NodeLoss.unmounted(node, claim, policy, v.now()) != null) {
      end(v, claim, EndCause.NODE_LOSS);
    } else if (!claim.granted() && !v.now().isBefore(readyDeadline(claim, policy))) {
      reject(
          v,
          claim,
          RejectCode.TIMEOUT,
          "not granted within the ready timeout of " + policy.readyTimeout());
    }
  }

  /** When a claim that is not granted is rejected. */
  static Instant readyDeadline(Claim claim, Policy policy) {
    return claim.ask().at().plus(policy.readyTimeout());
  }

  /**
   * The policy that a claim is under: that of its plugin, or of its volume's plugin while it waits.
   */
  static Policy policy(VolumeDraft v, Claim claim) {
    ClaimTerms terms = claim.terms();
    Volume volume = v.volume();
    return v.policy(terms != null ? terms.plugin() : volume == null ? "" : volume.spec().plugin());
  }

  /**
   * Starts a claim's way out. One that only waits is dropped: it was never taken and causes no RPC.
   */
  static void end(VolumeDraft v, Claim claim, EndCause cause) {
    if (!claim.granted() && claim.rejected() == null) {
      reply(
          v,
          claim,
          ReplyOutcome.REJECTED,
          RejectCode.ALLOC_TERMINAL,
          "the alloc ended before the grant: " + words(cause));
    }
    leave(v, claim, cause);
  }

  /** Rejects a claim and gives back what it has. */
  static void reject(VolumeDraft v, Claim claim, RejectCode code, String message) {
    reply(v, claim, ReplyOutcome.REJECTED, code, message);
    v.happened("rejected", claim, code.name(), message);
    leave(v, claim.edit().rejected(new Claim.Rejection(code, message)).done(), EndCause.REJECTED);
  }

  private static void leave(VolumeDraft v, Claim claim, EndCause cause) {
    if (!claim.counts()) {
      free(v, claim, words(cause));
      return;
    }
    // Neither the client nor a node worker was told to mount: there is nothing to unmount.
    boolean mayBeMounted = claim.granted() || claim.nodePublishAsked();
    Claim leaving =
        claim
            .edit()
            .state(ClaimState.UNPUBLISHING, v.now())
            .ending(new Claim.Ending(v.now(), cause))
            .nodeStep(mayBeMounted ? claim.nodeStep() : NodeStep.NOT_MOUNTED)
            .done();
    v.put(withdraw(v, leaving));
    v.happened("unpublishing", claim, null, words(cause));
  }

  /**
   * Takes back the request that works for the claim alone; its settlement says what became of it.
   */
  static Claim withdraw(VolumeDraft v, Claim claim) {
    String request = claim.request();
    if (request == null || claim.withdrawing()) {
      return claim;
    }
    v.request(request, claim.taken().plugin(), new LaneRequest.Withdraw());
    return claim.edit().withdrawing().done();
  }

  /** Removes a row: only here is capacity freed. */
  static void free(VolumeDraft v, Claim claim, String how) {
    if (claim.stuck()) {
      v.emit(new ClaimsEffect.Resolved(claim, how));
      v.happened("resolved", claim, null, how);
    }
    v.remove(claim);
    v.happened("released", claim, null, how);
    remember(v, claim);
    ClaimAsk again = claim.again();
    if (again != null) {
      v.put(
          Claim.waiting(v.key(), claim.alloc(), again, claim.index(), v.nextGeneration(), v.now()));
    }
    clearModeWithLastRow(v);
  }

  private static void remember(VolumeDraft v, Claim claim) {
    AllocMemory before = v.memory(claim.alloc());
    if (before != null && before.fate() != AllocFate.RELEASED) {
      return;
    }
    AllocFate fate = over(claim.client()) ? AllocFate.TERMINAL : AllocFate.RELEASED;
    v.remember(
        new AllocMemory(
            v.key(), claim.alloc(), claim.ask().scheduler(), claim.index(), fate, v.now()));
  }

  private static void clearModeWithLastRow(VolumeDraft v) {
    Volume volume = v.volume();
    if (volume == null || v.claims().stream().anyMatch(Claim::counts)) {
      return;
    }
    if (volume.access() != null || volume.attachment() != null) {
      v.put(volume.inMode(null, null));
    }
    if (volume.state() == VolumeState.DEREGISTERING
        && v.claims().isEmpty()
        && v.attachments().isEmpty()) {
      Registration.remove(v, volume);
    }
  }

  /** Shows why a claim waits, and tells an operator once when it is stuck. */
  static Claim hold(
      VolumeDraft v, Claim claim, Hold hold, dev.berth.records.@Nullable CsiCall step) {
    Hold before = claim.hold();
    if (hold.equals(before)) {
      return claim;
    }
    Claim held = v.put(claim.edit().hold(hold).done());
    if (before == null || before.code() != hold.code()) {
      v.happened("held", claim, hold.code().name(), hold.message());
    }
    if (hold.stuck() && (before == null || !before.stuck())) {
      v.emit(new ClaimsEffect.Stuck(held, step));
      v.happened("stuck", claim, hold.code().name(), hold.message());
    }
    return held;
  }

  /** Ends a hold: the step it was about is done or no longer needed. */
  static Claim unhold(VolumeDraft v, Claim claim, String how) {
    if (claim.hold() == null) {
      return claim;
    }
    if (claim.stuck()) {
      v.emit(new ClaimsEffect.Resolved(claim, how));
      v.happened("resolved", claim, null, how);
    }
    return v.put(claim.edit().hold(null).done());
  }

  static void reply(
      VolumeDraft v, Claim claim, ReplyOutcome outcome, @Nullable RejectCode code, String message) {
    v.emit(
        new ClaimsEffect.Replied(
            v.key(),
            claim.alloc(),
            claim.ask(),
            claim.generation(),
            outcome,
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
