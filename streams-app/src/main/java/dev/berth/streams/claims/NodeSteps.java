package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeStep;
import dev.berth.records.Staging;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Hold;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The node step of a claim on its way out: how it becomes a fact that nothing of it is mounted any
 * more. Facts only, never conclusions from a missing field (nomad#11776).
 */
final class NodeSteps {
  private NodeSteps() {}

  /** Takes a claim's node step as far as it goes now. */
  static void advance(VolumeDraft v, Claim claim, boolean collectNow) {
    if (claim.live()) {
      showLoss(v, claim);
    }
    if (claim.state() == ClaimState.NODE_DETACHED && !NodeLoss.down(v.node(claim))) {
      lossIsOver(v, claim);
    }
    if (claim.state() != ClaimState.UNPUBLISHING) {
      return;
    }
    if (done(claim.nodeStep())) {
      if (claim.request() == null) {
        detached(v, claim);
      } else if (!NodeLoss.down(v.node(claim))) {
        // It waits for an attach of its own to come back, which has reasons of its own.
        lossIsOver(v, claim);
      }
      return;
    }
    NodeView node = v.node(claim);
    Policy policy = v.policy(claim);
    NodeStep fact = NodeLoss.unmounted(node, claim, policy, v.now());
    if (fact != null) {
      // Nobody is there to answer: the node call, if any, is given up and not waited for.
      Claim known = Releasing.withdraw(v, claim).edit().nodeStep(fact).done();
      if (known.requestCall() == CsiCall.CONTROLLER_PUBLISH) {
        // An attach of its own has to come back first: it could land behind the detach.
        v.put(known);
      } else {
        detached(v, known.edit().settled().done());
      }
      Detaching.stagingIsLost(v, claim.node());
    } else if (NodeLoss.down(node)) {
      holdLost(v, Releasing.withdraw(v, claim));
    } else if (waitsForContact(node, claim, policy)) {
      holdUnreachable(v, claim);
    } else {
      Claim heard = contactIsBack(v, claim);
      if (heard.request() == null && callsDue(heard, node, policy, v.now(), collectNow)) {
        unpublish(v, heard);
      }
    }
  }

  /** Whether this is knowledge that the claim is not mounted. */
  static boolean done(NodeStep step) {
    return switch (step) {
      case OPEN, FAILED -> false;
      case NOT_MOUNTED, CLIENT_UNMOUNTED, NODE_CALLS_DONE, NODE_GONE, FENCED, POLICY, OPERATOR ->
          true;
    };
  }

  private static void detached(VolumeDraft v, Claim claim) {
    Claim free =
        unstagingIsLost(v, claim)
            ? claim
            : Holding.unhold(v, claim, "the node step is done: " + claim.nodeStep());
    v.put(free.edit().state(ClaimState.NODE_DETACHED, v.now()).done());
    v.happened("node-detached", free, claim.nodeStep().name(), "");
  }

  /** Whether the loss of its node holds a claim on, for the unstaging that is owed there. */
  private static boolean unstagingIsLost(VolumeDraft v, Claim claim) {
    NodeView node = v.node(claim);
    Attachment attachment = v.attachment(claim.node());
    return waitsForLostNode(claim)
        && NodeLoss.down(node)
        && NodeLoss.unmounted(node, claim, v.policy(claim), v.now()) == null
        && claim.nodeStep() != NodeStep.OPERATOR
        && attachment != null
        && attachment.mayBeStaged();
  }

  /** The node is down and nothing vouches for its silence: an operator hears of it at once. */
  static void holdLost(VolumeDraft v, Claim claim) {
    holdLost(v, claim, NodeLoss.promiseDue(v.node(claim), claim, v.policy(claim)));
  }

  private static void holdLost(VolumeDraft v, Claim claim, @Nullable Instant promise) {
    Hold before = claim.hold();
    Instant since =
        before != null && before.code() == HoldCode.NODE_LOST ? before.firstFailure() : v.now();
    boolean stuck = promise == null || (before != null && before.stuck());
    String message =
        promise == null
            ? "node "
                + claim.node()
                + " is down and may still write: fence it, or unblock the volume"
            : "node " + claim.node() + " is down; the alloc stops itself by " + promise;
    Hold hold = new Hold(HoldCode.NODE_LOST, message, null, 1, since, since, promise, stuck);
    Holding.show(v, v.put(claim), hold, null);
  }

  /**
   * A claim whose alloc has not ended, as far as anybody says, is held by the loss of its node all
   * the same: nobody can say that it does not write.
   */
  private static void showLoss(VolumeDraft v, Claim claim) {
    NodeView node = v.node(claim);
    if (NodeLoss.down(node)) {
      holdLost(v, claim);
    } else if (waitsForLostNode(claim)) {
      Claim heard = Holding.unhold(v, claim, "node " + claim.node() + " is back");
      Claim free = v.put(heard.edit().setAside(claim.setAside()).done());
      if (Calls.wayIn(VolumeCommands.callOf(v, free))) {
        // What holds its call besides was not shown: tried at once, it is shown or over.
        Drifting.wake(v, free.taken().plugin(), VolumeCommands.requestOf(v, free));
      }
    }
  }

  /**
   * Whether the unmount of a claim is its client's, who cannot be heard. Node calls wait in the
   * lanes, which say so themselves.
   */
  private static boolean waitsForContact(@Nullable NodeView node, Claim claim, Policy policy) {
    return node != null
        && node.status() == NodeStatus.DISCONNECTED
        && policy.nodeStep() == Policy.NodeStepBy.CLIENT
        && claim.request() == null;
  }

  private static void holdUnreachable(VolumeDraft v, Claim claim) {
    String message =
        "node "
            + claim.node()
            + " is disconnected: the unmount waits until the node is back, down or gone";
    Holding.show(v, claim, Holding.untilEvent(v, claim, HoldCode.NODE_UNREACHABLE, message), null);
  }

  /** Whether a claim is known to wait for a lost node, so that what its call says is no news. */
  static boolean waitsForLostNode(Claim claim) {
    Hold hold = claim.hold();
    return hold != null && hold.code() == HoldCode.NODE_LOST;
  }

  /** Nothing that is left to do needs the node: its loss holds the claim no more. */
  static Claim lossIsOver(VolumeDraft v, Claim claim) {
    return waitsForLostNode(claim)
        ? Holding.unhold(v, claim, "node " + claim.node() + " is not needed any more")
        : claim;
  }

  /** Ends the hold of a claim whose node was lost or could not be heard. */
  static Claim contactIsBack(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    boolean heldForContact =
        hold != null && hold.code() == HoldCode.NODE_UNREACHABLE && claim.request() == null;
    return waitsForLostNode(claim) || heldForContact
        ? Holding.unhold(v, claim, "node " + claim.node() + " is back")
        : claim;
  }

  /**
   * Whether Berth itself sends the node calls: node workers do it at once; for clients only a
   * collection does, when a claim has waited longer than its threshold on a ready node.
   */
  private static boolean callsDue(
      Claim claim, @Nullable NodeView node, Policy policy, Instant now, boolean collectNow) {
    if (policy.nodeStep() == Policy.NodeStepBy.WORKER) {
      return true;
    }
    boolean ready = node != null && node.ready();
    return ready
        && (collectNow
            || !lastCollection(policy.gc().interval(), now).isBefore(collectable(claim, policy)));
  }

  /** The next collection that may act on a claim; null when no collection has to. */
  static @Nullable Instant collectionDue(VolumeDraft v, Claim claim) {
    Policy policy = v.policy(claim);
    boolean waitsForClient =
        claim.state() == ClaimState.UNPUBLISHING
            && !done(claim.nodeStep())
            && claim.request() == null
            && policy.nodeStep() == Policy.NodeStepBy.CLIENT;
    if (!waitsForClient) {
      return null;
    }
    Duration interval = policy.gc().interval();
    Instant from = collectable(claim, policy);
    if (!from.isAfter(v.now())) {
      return lastCollection(interval, v.now()).plus(interval);
    }
    Instant tick = lastCollection(interval, from);
    return tick.equals(from) ? from : tick.plus(interval);
  }

  private static Instant collectable(Claim claim, Policy policy) {
    Claim.Ending ending = claim.ending();
    return ending == null ? Instant.MAX : ending.at().plus(policy.gc().threshold());
  }

  /**
   * Collections run at the multiples of their interval since the epoch: every instance agrees, also
   * after a restart.
   */
  private static Instant lastCollection(Duration interval, Instant now) {
    long step = interval.toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), step) * step);
  }

  private static void unpublish(VolumeDraft v, Claim claim) {
    String plugin = claim.taken().plugin();
    String request =
        v.request(plugin, Calls.enqueue(claim, Calls.forClaim(v, claim, CsiCall.NODE_UNPUBLISH)));
    v.put(claim.edit().requesting(request, CsiCall.NODE_UNPUBLISH).done());
    Attachment attachment = v.attachment(claim.node());
    InstanceView instance = v.nodeInstance(plugin, claim.node());
    boolean stages = instance != null && instance.stage();
    if (attachment != null && attachment.staging() == Staging.NONE && stages) {
      // The client staged it and cannot be asked: unstaging what is not staged does no harm (CSI,
      // NodeUnstageVolume).
      v.put(attachment.staging(Staging.MAYBE));
    }
  }
}
