package dev.berth.workers.csi;

import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.workers.call.CallResult;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Whether a controller attaches and detaches at all. A detach that is UNIMPLEMENTED has the
 * capabilities read again (CSI, ControllerUnpublishVolume errors): only a plugin that no longer
 * advertises it has nothing to detach.
 */
public final class AttachCapability {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private AttachCapability() {}

  /** Whether a controller with these capabilities attaches and detaches. */
  public static boolean in(ControllerGetCapabilitiesResponse capabilities) {
    return capabilities.getCapabilitiesList().stream()
        .anyMatch(
            each ->
                each.getRpc().getType()
                    == ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
  }

  /** The answer with what the plugin says now; as it was when the plugin says nothing in time. */
  static CallResult.Answered askedAfter(
      CallResult.Answered answered, Channel channel, Duration left) {
    Duration patience = left.compareTo(PATIENCE) < 0 ? left : PATIENCE;
    try {
      boolean attaches =
          in(
              ControllerGrpc.newBlockingStub(channel)
                  .withDeadlineAfter(patience.toNanos(), TimeUnit.NANOSECONDS)
                  .controllerGetCapabilities(
                      ControllerGetCapabilitiesRequest.getDefaultInstance()));
      return new CallResult.Answered(
          answered.code(), answered.message(), answered.publishContext(), Optional.of(attaches));
    } catch (StatusRuntimeException e) {
      // It was answered all the same; what was last reported decides.
      return answered;
    }
  }
}
