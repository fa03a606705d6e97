package dev.berth.workers.csi;

import dev.berth.proto.csi.ProbeResponse;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;

/** What is wrong with a plugin that is asked about itself, in words for people. */
public final class PluginTrouble {

  /** What gRPC says of a peer that speaks another protocol. */
  private static final String NO_GRPC = "First received frame was not SETTINGS";

  private PluginTrouble() {}

  /** Returns what is wrong with a plugin that answers this to Probe; empty when it is ready. */
  public static Optional<String> of(ProbeResponse probe) {
    return probe.hasReady() && !probe.getReady().getValue()
        ? Optional.of("the plugin says that it is not ready yet (Probe)")
        : Optional.empty();
  }

  /**
   * Returns what is wrong with a plugin of which a call has failed.
   *
   * @param rpc the call
   * @param address where the plugin should be
   * @param status what came of it
   * @param limit how long the call was given
   */
  public static String of(String rpc, String address, Status status, Duration limit) {
    String text = StatusText.of(status);
    if (text.contains(NO_GRPC)) {
      return "%s: whatever listens at %s does not speak gRPC: is it a CSI plugin, without TLS? (%s)"
          .formatted(rpc, address, text);
    }
    return switch (status.getCode()) {
      case UNIMPLEMENTED ->
          "%s is not implemented by whatever listens at %s: is it this service of a CSI plugin? (%s)"
              .formatted(rpc, address, text);
      case UNAVAILABLE ->
          "%s: the plugin at %s cannot be reached (%s)".formatted(rpc, address, text);
      case CANCELLED ->
          "%s: the plugin at %s gave an answer that nobody can read (%s)"
              .formatted(rpc, address, text);
      case DEADLINE_EXCEEDED ->
          "%s: the plugin at %s gave no answer within %d s"
              .formatted(rpc, address, limit.toSeconds());
      default -> "%s failed with %s (%s)".formatted(rpc, status.getCode(), text);
    };
  }
}
