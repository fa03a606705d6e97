package dev.berth.streams.claims;

import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the claims of one volume. An event first becomes facts in the rows; then every row
 * of the volume goes as far as the facts let it. So an event that comes twice, late or after a
 * crash leads to the same rows, and a look without any event repairs what a lost one left.
 */
public final class ClaimsDecider {
  /**
   * Happens when the rules would go on for ever: a fault of theirs, which is told and does not stop
   * the partition.
   */
  public static final String UNSETTLED = "unsettled";

  /** More rounds than any volume needs, since each takes every row as far as it goes. */
  private static final int MOST_ROUNDS = 1_000;

  private ClaimsDecider() {}

  /**
   * Decides an event. Total and deterministic; reads the state of the event's volume and of the
   * cluster only.
   *
   * @param state tables of {@link ClaimTables} and {@link dev.berth.streams.cluster.ClusterTables}
   * @param event what happened
   * @param now time of the decision
   * @param policies policies in force
   */
  public static Decision<ClaimsEffect> decide(
      State state, ClaimsEvent event, Instant now, Policies policies) {
    VolumeDraft v = new VolumeDraft(state, event.key(), now, policies);
    Restoring.restore(v);
    if (event instanceof ClaimsEvent.Stated stated) {
      Asking.Heard heard = Statements.handle(v, stated);
      advance(v, false);
      Asking.answer(v, stated.alloc(), heard);
    } else if (event instanceof ClaimsEvent.Settled settled) {
      Settlements.handle(v, settled.settlement());
      advance(v, false);
    } else if (event instanceof ClaimsEvent.Commanded commanded) {
      VolumeCommands.handle(v, commanded.command());
      advance(v, false);
    } else if (event instanceof ClaimsEvent.Look look) {
      if (look.sweeps()) {
        Leaving.endForgotten(v);
      }
      advance(v, look.ignoreThresholds());
      if (look.why().equals(ClaimsEvent.Look.COLLECTION)) {
        AllocMemories.forgetOld(v);
      }
    }
    v.wakeAt(nextLook(v));
    return v.decision();
  }

  private static void advance(VolumeDraft v, boolean collectNow) {
    long before;
    int round = 0;
    do {
      before = v.writes();
      v.claims().forEach(claim -> Leaving.endIfOver(v, claim));
      v.claims().forEach(claim -> NodeSteps.advance(v, claim, collectNow));
      nodes(v).forEach(node -> Detaching.advance(v, node));
      Taking.serve(v);
      nodes(v).forEach(node -> Attaching.advance(v, node));
      nodes(v).forEach(node -> Drifting.advance(v, node));
      v.claims().forEach(claim -> Holding.tellIfLasting(v, claim));
    } while (v.writes() != before && ++round < MOST_ROUNDS);
    if (round == MOST_ROUNDS) {
      v.happened(
          UNSETTLED, null, null, "the rules did not come to rest: report it with this history");
    }
  }

  private static SortedSet<String> nodes(VolumeDraft v) {
    SortedSet<String> nodes = new TreeSet<>();
    v.claims().forEach(claim -> nodes.add(claim.node()));
    v.attachments().forEach(attachment -> nodes.add(attachment.node()));
    return nodes;
  }

  /** The next time at which something may be due that no event announces. */
  private static @Nullable Instant nextLook(VolumeDraft v) {
    Instant next = null;
    for (Claim claim : v.claims()) {
      next = earlier(next, Leaving.deadline(claim, v.policy(claim)), v.now());
      if (NodeLoss.down(v.node(claim))) {
        next = earlier(next, NodeLoss.promiseDue(v.node(claim), claim, v.policy(claim)), v.now());
      }
      next = earlier(next, NodeSteps.collectionDue(v, claim), v.now());
      next = earlier(next, Holding.letterDue(v, claim), v.now());
    }
    return next;
  }

  private static @Nullable Instant earlier(
      @Nullable Instant one, @Nullable Instant other, Instant now) {
    if (other == null || !other.isAfter(now)) {
      return one;
    }
    return one == null || other.isBefore(one) ? other : one;
  }
}
