package dev.berth.workers.discovery;

import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeServiceCapability;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.records.PluginRole;
import dev.berth.workers.csi.StatusText;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.NodeAbilities;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** How the answers of a plugin are read: which of them make it unwell, and what they say. */
final class Reading {

  /** Largest node_id of csi.v1 (bytes). */
  private static final int LONGEST_NODE_ID = 256;

  /** What gRPC says of a peer that speaks another protocol. */
  private static final String NO_GRPC = "First received frame was not SETTINGS";

  private Reading() {}

  /** Returns what is wrong with a plugin that answers this to Probe; empty when it is ready. */
  static Optional<String> problem(ProbeResponse probe) {
    return probe.hasReady() && !probe.getReady().getValue()
        ? Optional.of("the plugin says that it is not ready yet (Probe)")
        : Optional.empty();
  }

  /** Returns what is wrong with a plugin that describes itself so. */
  static Optional<String> problem(GetPluginInfoResponse info) {
    return info.getName().isEmpty()
        ? Optional.of("GetPluginInfo gives no name, which csi.v1 requires")
        : Optional.empty();
  }

  /** Returns what is wrong with a plugin that has these capabilities, for a service of it. */
  static Optional<String> problem(PluginRole role, GetPluginCapabilitiesResponse capabilities) {
    boolean controller =
        capabilities.getCapabilitiesList().stream()
            .map(each -> each.getService().getType())
            .anyMatch(type -> type == PluginCapability.Service.Type.CONTROLLER_SERVICE);
    return role == PluginRole.CONTROLLER && !controller
        ? Optional.of(
            "GetPluginCapabilities does not advertise CONTROLLER_SERVICE: this socket serves no"
                + " controller")
        : Optional.empty();
  }

  /** Returns what is wrong with a node service that describes its node so. */
  static Optional<String> problem(NodeGetInfoResponse info) {
    int bytes = info.getNodeIdBytes().size();
    if (bytes == 0) {
      return Optional.of("NodeGetInfo gives no node_id, which csi.v1 requires");
    }
    if (bytes > LONGEST_NODE_ID) {
      return Optional.of(
          "NodeGetInfo gives a node_id of %d bytes; csi.v1 allows %d"
              .formatted(bytes, LONGEST_NODE_ID));
    }
    return info.getMaxVolumesPerNode() < 0
        ? Optional.of(
            "NodeGetInfo gives max_volumes_per_node %d; csi.v1 allows no negative number"
                .formatted(info.getMaxVolumesPerNode()))
        : Optional.empty();
  }

  /** Returns what a controller with these capabilities can do. */
  static ControllerAbilities abilities(ControllerGetCapabilitiesResponse capabilities) {
    Set<ControllerServiceCapability.RPC.Type> types =
        capabilities.getCapabilitiesList().stream()
            .map(each -> each.getRpc().getType())
            .collect(Collectors.toSet());
    return new ControllerAbilities(
        types.contains(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME),
        types.contains(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY),
        types.contains(ControllerServiceCapability.RPC.Type.LIST_VOLUMES)
            && types.contains(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES));
  }

  /** Returns what a node service can do. */
  static NodeAbilities abilities(
      NodeGetInfoResponse info, NodeGetCapabilitiesResponse capabilities) {
    boolean stage =
        capabilities.getCapabilitiesList().stream()
            .map(each -> each.getRpc().getType())
            .anyMatch(type -> type == NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME);
    return new NodeAbilities(
        stage,
        info.getNodeId(),
        Optional.of(info.getMaxVolumesPerNode()).filter(most -> most > 0),
        info.getAccessibleTopology().getSegmentsMap());
  }

  /**
   * Returns what is wrong with a plugin of which a call has failed.
   *
   * @param rpc the call
   * @param address where the plugin should be
   * @param status what came of it
   * @param limit how long the call was given
   */
  static String problem(String rpc, String address, Status status, Duration limit) {
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
