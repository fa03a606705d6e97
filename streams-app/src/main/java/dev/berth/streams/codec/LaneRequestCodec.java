package dev.berth.streams.codec;

import dev.berth.records.EnqueueCall;
import dev.berth.records.ReleaseExternalId;
import dev.berth.records.ReleaseSlot;
import dev.berth.records.ReserveExternalId;
import dev.berth.records.WakeCall;
import dev.berth.records.WithdrawCall;
import dev.berth.streams.work.LaneRequest;

/** Codec of what the claims ask of the lanes. */
public final class LaneRequestCodec {
  /** A record of lane-requests. */
  public static final Codec<LaneRequest, dev.berth.records.LaneRequest> LANE_REQUEST =
      new Codec<>(
          LaneRequest.class,
          dev.berth.records.LaneRequest.class,
          LaneRequestCodec::encode,
          LaneRequestCodec::decode);

  private LaneRequestCodec() {}

  private static dev.berth.records.LaneRequest encode(LaneRequest request) {
    return new dev.berth.records.LaneRequest(
        request.requestId(),
        request.plugin(),
        request.volumeKey(),
        request.at(),
        encode(request.body()));
  }

  private static Object encode(LaneRequest.Body body) {
    if (body instanceof LaneRequest.Enqueue enqueue) {
      return new EnqueueCall(
          CallCodec.CALL.encode().apply(enqueue.call()),
          enqueue.takesSlot(),
          enqueue.restores(),
          enqueue.goesOn() == null ? null : HoldCodec.HOLD.encode().apply(enqueue.goesOn()),
          enqueue.scheduler());
    } else if (body instanceof LaneRequest.Withdraw) {
      return new WithdrawCall();
    } else if (body instanceof LaneRequest.Wake wake) {
      return new WakeCall(wake.newBudget());
    } else if (body instanceof LaneRequest.ReserveExternalId reserve) {
      return new ReserveExternalId(reserve.externalVolume());
    } else if (body instanceof LaneRequest.ReleaseExternalId release) {
      return new ReleaseExternalId(release.externalVolume());
    }
    LaneRequest.ReleaseSlot release = (LaneRequest.ReleaseSlot) body;
    return new ReleaseSlot(release.node(), release.externalVolume());
  }

  private static LaneRequest decode(dev.berth.records.LaneRequest request) {
    return new LaneRequest(
        request.getRequestId(),
        request.getPlugin(),
        request.getVolumeKey(),
        request.getAt(),
        body(request.getBody()));
  }

  private static LaneRequest.Body body(Object body) {
    if (body instanceof EnqueueCall enqueue) {
      return new LaneRequest.Enqueue(
          CallCodec.CALL.decode().apply(enqueue.getCall()),
          enqueue.getTakesSlot(),
          enqueue.getRestores(),
          enqueue.getGoesOn().map(HoldCodec.HOLD.decode()).orElse(null),
          enqueue.getScheduler().orElse(null));
    } else if (body instanceof WithdrawCall) {
      return new LaneRequest.Withdraw();
    } else if (body instanceof WakeCall wake) {
      return new LaneRequest.Wake(wake.getNewBudget());
    } else if (body instanceof ReserveExternalId reserve) {
      return new LaneRequest.ReserveExternalId(reserve.getExternalVolume());
    } else if (body instanceof ReleaseExternalId release) {
      return new LaneRequest.ReleaseExternalId(release.getExternalVolume());
    } else if (body instanceof ReleaseSlot release) {
      return new LaneRequest.ReleaseSlot(release.getNode(), release.getExternalVolume());
    }
    throw new IllegalArgumentException(
        "a lane request with the body " + body.getClass().getSimpleName());
  }
}
