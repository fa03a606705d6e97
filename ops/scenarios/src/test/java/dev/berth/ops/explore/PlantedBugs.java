package dev.berth.ops.explore;

import dev.berth.records.CsiCall;
import dev.berth.records.RpcCode;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Deciders with a bug each, to see that it is found. */
final class PlantedBugs {
  private PlantedBugs() {}

  /** The detach is never asked for. */
  static Deciders detachIsDropped() {
    return new Wrong(event -> event, PlantedBugs::isNoDetach, event -> event, effect -> true);
  }

  /** A call that fails is taken for one that is done. */
  static Deciders failureIsSuccess() {
    return new Wrong(PlantedBugs::heldIsDone, effect -> true, event -> event, effect -> true);
  }

  /** The lanes forget to answer that a call was taken back. */
  static Deciders withdrawalIsNotAnswered() {
    return new Wrong(
        event -> event,
        effect -> true,
        event -> event,
        effect ->
            !(effect instanceof LanesEffect.Settle settle
                && settle.settlement().body() instanceof Settlement.Withdrawn));
  }

  /** No attach takes a slot. */
  static Deciders attachTakesNoSlot() {
    return new Wrong(event -> event, effect -> true, PlantedBugs::withoutSlot, effect -> true);
  }

  private static LanesEvent withoutSlot(LanesEvent event) {
    if (event instanceof LanesEvent.Requested requested
        && requested.request().body() instanceof LaneRequest.Enqueue enqueue) {
      LaneRequest asked = requested.request();
      return new LanesEvent.Requested(
          new LaneRequest(
              asked.requestId(),
              asked.plugin(),
              asked.volumeKey(),
              asked.at(),
              new LaneRequest.Enqueue(
                  enqueue.call(),
                  false,
                  enqueue.restores(),
                  enqueue.goesOn(),
                  enqueue.scheduler())));
    }
    return event;
  }

  private static boolean isNoDetach(ClaimsEffect effect) {
    return !(effect instanceof ClaimsEffect.Requested requested
        && requested.request().body() instanceof LaneRequest.Enqueue enqueue
        && enqueue.call().rpc() == CsiCall.CONTROLLER_UNPUBLISH);
  }

  private static ClaimsEvent heldIsDone(ClaimsEvent event) {
    if (event instanceof ClaimsEvent.Settled settled
        && settled.settlement().body() instanceof Settlement.Held held
        && held.hold().rpcCode() != null) {
      Settlement told = settled.settlement();
      return new ClaimsEvent.Settled(
          settled.key(),
          new Settlement(
              told.requestId(),
              told.volumeKey(),
              told.plugin(),
              told.externalNode(),
              told.at(),
              new Settlement.Done(RpcCode.OK, false, Map.of())));
    }
    return event;
  }

  private record Wrong(
      UnaryOperator<ClaimsEvent> heard,
      Predicate<ClaimsEffect> asked,
      UnaryOperator<LanesEvent> told,
      Predicate<LanesEffect> answered)
      implements Deciders {

    @Override
    public Decided<ClaimsEffect> claims(
        Rows own, Rows cluster, ClaimsEvent event, Instant now, Policies policies) {
      Decided<ClaimsEffect> decided =
          Deciders.real().claims(own, cluster, heard.apply(event), now, policies);
      return new Decided<>(decided.after(), kept(decided.effects(), asked));
    }

    @Override
    public Decided<LanesEffect> lanes(
        Rows own, Rows cluster, LanesEvent event, Instant now, Policies policies) {
      Decided<LanesEffect> decided =
          Deciders.real().lanes(own, cluster, told.apply(event), now, policies);
      return new Decided<>(decided.after(), kept(decided.effects(), answered));
    }

    @Override
    public Decided<ClusterEffect> cluster(
        Rows own, ClusterEvent event, Instant now, Policies policies) {
      return Deciders.real().cluster(own, event, now, policies);
    }

    private static <E> List<E> kept(List<E> effects, Predicate<E> which) {
      return effects.stream().filter(which).toList();
    }
  }
}
