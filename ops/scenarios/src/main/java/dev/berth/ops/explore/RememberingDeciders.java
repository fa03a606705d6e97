package dev.berth.ops.explore;

import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import java.time.Instant;

/**
 * Deciders that decide nothing twice. Decisions are pure, so what was decided once from the same
 * rows, event and time need not be decided again; the policies of a search never change.
 */
final class RememberingDeciders implements Deciders {
  private final Deciders deciders;

  /** Equal rows are one, so that whoever compares them later is done at once. */
  private final Remembered<Rows, Rows> rows = new Remembered<>();

  private final Remembered<Asked, Decided<ClaimsEffect>> claims = new Remembered<>();
  private final Remembered<Asked, Decided<LanesEffect>> lanes = new Remembered<>();
  private final Remembered<Asked, Decided<ClusterEffect>> cluster = new Remembered<>();

  private record Asked(Rows own, Rows cluster, Object event, Instant now) {}

  RememberingDeciders(Deciders deciders) {
    this.deciders = deciders;
  }

  @Override
  public Decided<ClaimsEffect> claims(
      Rows own, Rows view, ClaimsEvent event, Instant now, Policies policies) {
    return claims.get(
        new Asked(own, view, event, now),
        asked -> shared(deciders.claims(own, view, event, now, policies)));
  }

  @Override
  public Decided<LanesEffect> lanes(
      Rows own, Rows view, LanesEvent event, Instant now, Policies policies) {
    return lanes.get(
        new Asked(own, view, event, now),
        asked -> shared(deciders.lanes(own, view, event, now, policies)));
  }

  @Override
  public Decided<ClusterEffect> cluster(
      Rows own, ClusterEvent event, Instant now, Policies policies) {
    return cluster.get(
        new Asked(own, Rows.NONE, event, now),
        asked -> shared(deciders.cluster(own, event, now, policies)));
  }

  private <E> Decided<E> shared(Decided<E> decided) {
    return new Decided<>(rows.get(decided.after(), fresh -> fresh), decided.effects());
  }
}
