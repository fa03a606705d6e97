package dev.berth.streams.codec;

import dev.berth.records.Acceptance;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Outcome;
import dev.berth.records.WorkCall;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.LaneStatus;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.lanes.NodeSlots;
import dev.berth.streams.work.Work;
import java.time.Duration;

/** Codecs of what goes to the workers and comes from them, and of what others see of the lanes. */
public final class WorkCodecs {
  /** A record of plugin-work or node-work. */
  public static final Codec<Work, dev.berth.records.Work> WORK =
      new Codec<>(Work.class, dev.berth.records.Work.class, WorkCodecs::encode, WorkCodecs::decode);

  private WorkCodecs() {}

  private static dev.berth.records.Work encode(Work work) {
    return dev.berth.records.Work.newBuilder()
        .setAttemptId(work.attemptId())
        .setPlugin(work.plugin())
        .setLane(work.lane())
        .setRoute(work.route())
        .setInstanceNode(work.instanceNode())
        .setEndpoint(work.endpoint())
        .setNodeIncarnation(work.nodeIncarnation())
        .setTimeoutMillis(work.timeout().toMillis())
        .setDispatchedAt(work.dispatchedAt())
        .setCalls(
            work.calls().stream()
                .map(
                    call ->
                        new WorkCall(call.requestId(), CallCodec.CALL.encode().apply(call.call())))
                .toList())
        .build();
  }

  private static Work decode(dev.berth.records.Work work) {
    return new Work(
        work.getAttemptId(),
        work.getPlugin(),
        work.getLane(),
        work.getRoute(),
        work.getInstanceNode(),
        work.getEndpoint(),
        work.getNodeIncarnation(),
        Duration.ofMillis(work.getTimeoutMillis()),
        work.getDispatchedAt(),
        work.getCalls().stream()
            .map(
                call ->
                    new Work.WorkCall(
                        call.getRequestId(), CallCodec.CALL.decode().apply(call.getCall())))
            .toList());
  }

  /** The event of an acceptance. */
  public static LanesEvent.Accepted accepted(Acceptance acceptance) {
    return new LanesEvent.Accepted(
        acceptance.getAttemptId(),
        acceptance.getAcceptanceId(),
        acceptance.getPlugin(),
        acceptance.getWorker(),
        Duration.ofMillis(acceptance.getTimeAllowedMillis()));
  }

  /** The event of an outcome. */
  public static LanesEvent.OutcomeArrived outcome(Outcome outcome) {
    return new LanesEvent.OutcomeArrived(
        outcome.getAttemptId(),
        outcome.getAcceptanceId(),
        outcome.getPlugin(),
        outcome.getRequestId(),
        outcome.getCallIndex(),
        new CallEnd(
            outcome.getFate(),
            outcome.getNotSent(),
            outcome.getCode(),
            outcome.getMessage(),
            outcome.getPublishContext(),
            outcome.getStartedAt(),
            outcome.getEndedAt(),
            outcome.getAttaches().orElse(null)));
  }

  /** A record of lane-status. */
  public static dev.berth.records.LaneStatus status(LaneStatus status) {
    return dev.berth.records.LaneStatus.newBuilder()
        .setPlugin(status.plugin())
        .setPaused(status.paused())
        .setPausedBy(status.pausedBy())
        .setQueued(status.queued())
        .setHeld(status.held())
        .setInFlight(status.inFlight())
        .setOldest(status.oldest())
        .setAttachMillis(status.attachMean().toMillis())
        .setDetachMillis(status.detachMean().toMillis())
        .setOpen(status.open().stream().map(WorkCodecs::open).toList())
        .setAt(status.at())
        .build();
  }

  private static OpenAttempt open(LaneStatus.OpenAttempt open) {
    return OpenAttempt.newBuilder()
        .setWork(encode(open.work()))
        .setAcceptanceId(open.acceptanceId())
        .setWorker(open.worker())
        .setAcceptedAt(open.acceptedAt())
        .build();
  }

  /** A record of node-slots. */
  public static dev.berth.records.NodeSlots slots(NodeSlots slots) {
    return dev.berth.records.NodeSlots.newBuilder()
        .setPlugin(slots.plugin())
        .setNode(slots.node())
        .setMaxVolumes(slots.maxVolumes())
        .setInUse(slots.inUse())
        .setAt(slots.at())
        .build();
  }
}
