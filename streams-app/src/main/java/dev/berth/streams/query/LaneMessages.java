package dev.berth.streams.query;

import dev.berth.proto.api.Breaker;
import dev.berth.proto.api.CallPlace;
import dev.berth.proto.api.Lane;
import dev.berth.proto.api.LaneCall;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.OpenAttempt;
import dev.berth.proto.api.Pause;
import dev.berth.proto.api.PluginLanes;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.CallStatus;
import dev.berth.streams.lanes.LanesView;
import dev.berth.streams.lanes.Place;
import dev.berth.streams.work.Call;
import java.time.Duration;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Lanes, calls and slots as the API tells of them; calls without what they carry. */
final class LaneMessages {
  private LaneMessages() {}

  /**
   * The lanes of a plugin.
   *
   * @param sees whether the one who asks sees a namespace; volumes of others are not named
   */
  static PluginLanes of(LanesView view, Predicate<String> sees) {
    dev.berth.streams.lanes.PluginLanes plugin = view.plugin();
    PluginLanes.Builder message =
        PluginLanes.newBuilder()
            .setPlugin(plugin.plugin())
            .setQueued(plugin.queued())
            .setHeld(plugin.held())
            .setOpen(plugin.inFlight())
            .setScope(Words.of(plugin.scope()))
            .setControllerNode(plugin.stickyNode() == null ? "" : plugin.stickyNode())
            .setLanesLeftOut(view.leftOut());
    if (plugin.pause() != null) {
      message.setPause(
          Pause.newBuilder()
              .setAuthor(plugin.pause().by())
              .setReason(plugin.pause().reason())
              .setAt(ProtoTime.timestamp(plugin.pause().at())));
    }
    if (view.oldest() != null) {
      message.setOldestQueuedAt(ProtoTime.timestamp(view.oldest()));
    }
    if (!plugin.attachMean().isZero()) {
      message.setAttachTime(ProtoTime.duration(plugin.attachMean()));
    }
    if (!plugin.detachMean().isZero()) {
      message.setDetachTime(ProtoTime.duration(plugin.detachMean()));
    }
    view.lanes().forEach(lane -> message.addLanes(of(lane, sees)));
    view.lanes().stream()
        .map(LanesView.OneLane::drain)
        .filter(drain -> drain != null)
        .max(Duration::compareTo)
        .ifPresent(drain -> message.setEstimatedDrain(ProtoTime.duration(drain)));
    new TreeMap<>(view.breakers())
        .forEach((node, breaker) -> message.addBreakers(of(node, breaker)));
    return message.build();
  }

  private static Breaker of(String node, dev.berth.streams.lanes.Breaker breaker) {
    Breaker.Builder message = Breaker.newBuilder().setNode(node).setFailures(breaker.failures());
    if (breaker.trialAt() != null) {
      message.setTrialAt(ProtoTime.timestamp(breaker.trialAt()));
    }
    return message.build();
  }

  private static Lane of(LanesView.OneLane lane, Predicate<String> sees) {
    Lane.Builder message =
        Lane.newBuilder()
            .setLane(lane.lane())
            .setQueuedAttaches(lane.attaches())
            .setQueuedDetaches(lane.detaches())
            .setQueuedNodeCalls(lane.nodeCalls());
    if (lane.open() != null) {
      message.setOpen(of(lane.open(), sees));
    }
    if (lane.oldest() != null) {
      message.setOldestQueuedAt(ProtoTime.timestamp(lane.oldest()));
    }
    if (lane.drain() != null) {
      message.setEstimatedDrain(ProtoTime.duration(lane.drain()));
    }
    return message.build();
  }

  private static OpenAttempt of(Attempt attempt, Predicate<String> sees) {
    OpenAttempt.Builder message =
        OpenAttempt.newBuilder()
            .setAttempt(attempt.work().attemptId())
            .setInstanceNode(attempt.work().instanceNode())
            .setDispatchedAt(ProtoTime.timestamp(attempt.work().dispatchedAt()));
    attempt.work().calls().forEach(call -> message.addCalls(inShort(call.call(), sees)));
    attempt.acceptances().stream()
        .findFirst()
        .ifPresent(
            acceptance ->
                message
                    .setWorker(acceptance.worker())
                    .setAcceptedAt(ProtoTime.timestamp(acceptance.readAt())));
    return message.build();
  }

  /** A call in short; that of a volume in a namespace that is not the asker's without its name. */
  private static String inShort(Call call, Predicate<String> sees) {
    return sees.test(call.namespace())
        ? "%s %s/%s %s"
            .formatted(Words.csi(call.rpc()), call.namespace(), call.volume(), call.node())
        : "%s of another namespace".formatted(Words.csi(call.rpc()));
  }

  /** Where a call is. */
  static LaneCall of(CallStatus status) {
    dev.berth.streams.lanes.LaneCall known = status.call();
    Call call = known.call();
    LaneCall.Builder message =
        LaneCall.newBuilder()
            .setRequest(known.requestId())
            .setRpc(Words.csi(call.rpc()))
            .setRef(Words.ref(call.namespace(), call.volume()))
            .setAlloc(call.alloc() == null ? "" : call.alloc())
            .setNode(call.node())
            .setLane(status.lane())
            .setAskedAt(ProtoTime.timestamp(known.arrivedAt()));
    if (known.place() instanceof Place.Held held) {
      message.setPlace(CallPlace.CALL_PLACE_HELD).setHold(Words.hold(held.hold(), ""));
    } else if (known.place() instanceof Place.Open) {
      message.setPlace(CallPlace.CALL_PLACE_OPEN);
    } else if (known.place() instanceof Place.Queued) {
      message.setPlace(CallPlace.CALL_PLACE_QUEUED);
    }
    if (status.ahead() != null) {
      message.setCallsAhead(status.ahead());
    }
    if (status.untilDone() != null) {
      message.setEstimatedWait(ProtoTime.duration(status.untilDone()));
    }
    if (status.attempt() != null) {
      setAttempt(message, status.attempt());
    }
    return message.build();
  }

  private static void setAttempt(LaneCall.Builder message, Attempt attempt) {
    message
        .setAttempt(attempt.work().attemptId())
        .setInstanceNode(attempt.work().instanceNode())
        .setDispatchedAt(ProtoTime.timestamp(attempt.work().dispatchedAt()));
    attempt.acceptances().stream()
        .findFirst()
        .ifPresent(
            acceptance ->
                message
                    .setWorker(acceptance.worker())
                    .setAcceptedAt(ProtoTime.timestamp(acceptance.readAt())));
  }

  /** The slots of a plugin on a node. */
  static NodeSlots of(dev.berth.streams.lanes.NodeSlots slots) {
    return NodeSlots.newBuilder()
        .setPlugin(slots.plugin())
        .setNode(slots.node())
        .setMaxVolumes(slots.maxVolumes() == null ? 0 : slots.maxVolumes())
        .setInUse(slots.inUse())
        .build();
  }
}
