package dev.berth.ops.explore;

import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.cluster.ClusterDecider;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.lanes.LanesDecider;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import java.time.Instant;
import java.util.List;

/** The three deciders as functions of their rows. Others stand in to remember, or to be wrong. */
interface Deciders {

  /**
   * What came of an event.
   *
   * @param after the decider's rows after it
   * @param effects what goes out, in order
   * @param <E> type of the effects
   */
  record Decided<E>(Rows after, List<E> effects) {}

  /** Decides about the claims of one volume, whose rows these are. */
  Decided<ClaimsEffect> claims(
      Rows own, Rows cluster, ClaimsEvent event, Instant now, Policies policies);

  /** Decides about the lanes of every plugin. */
  Decided<LanesEffect> lanes(
      Rows own, Rows cluster, LanesEvent event, Instant now, Policies policies);

  /** Decides about the cluster. */
  Decided<ClusterEffect> cluster(Rows own, ClusterEvent event, Instant now, Policies policies);

  /** The product's own. */
  static Deciders real() {
    return new Deciders() {
      @Override
      public Decided<ClaimsEffect> claims(
          Rows own, Rows cluster, ClaimsEvent event, Instant now, Policies policies) {
        return after(own, ClaimsDecider.decide(new SeenWith(own, cluster), event, now, policies));
      }

      @Override
      public Decided<LanesEffect> lanes(
          Rows own, Rows cluster, LanesEvent event, Instant now, Policies policies) {
        return after(own, LanesDecider.decide(new SeenWith(own, cluster), event, now, policies));
      }

      @Override
      public Decided<ClusterEffect> cluster(
          Rows own, ClusterEvent event, Instant now, Policies policies) {
        return after(own, ClusterDecider.decide(own, event, now, policies));
      }

      private <E> Decided<E> after(Rows before, Decision<E> decision) {
        return new Decided<>(before.with(decision.changes()), decision.effects());
      }
    };
  }
}
