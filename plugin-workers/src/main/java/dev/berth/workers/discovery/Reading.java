package dev.berth.workers.discovery;

import com.google.protobuf.ByteString;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeServiceCapability;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.records.PluginRole;
import dev.berth.workers.csi.AttachCapability;
import dev.berth.workers.csi.StringMaps;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.NodeAbilities;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How the answers of a plugin are read: which of them make it unwell, and what they say. */
final class Reading {

  /** Largest node_id of csi.v1 (bytes). */
  private static final int LONGEST_NODE_ID = 256;

  /** Largest string of csi.v1, unless it says otherwise (bytes). */
  private static final int LONGEST_STRING = 128;

  /** Name of a plugin (csi.v1, GetPluginInfoResponse). */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?");

  private Reading() {}

  /**
   * Returns what is wrong with a plugin that describes itself so. Its name may become the plugin
   * id, which is part of keys: nothing but what csi.v1 allows must get there.
   */
  static Optional<String> problem(GetPluginInfoResponse info) {
    if (info.getName().isEmpty()) {
      return Optional.of("GetPluginInfo gives no name, which csi.v1 requires");
    }
    if (!NAME.matcher(info.getName()).matches()) {
      return Optional.of(
          "GetPluginInfo gives the name '%s'; csi.v1 allows 1 to 63 letters, digits, '-' and '.', the first and the last a letter or digit"
              .formatted(cut(info.getName())));
    }
    return tooLong("GetPluginInfo", "vendor_version", info.getVendorVersionBytes(), LONGEST_STRING);
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
    if (info.getNodeIdBytes().isEmpty()) {
      return Optional.of("NodeGetInfo gives no node_id, which csi.v1 requires");
    }
    Optional<String> tooLong =
        tooLong("NodeGetInfo", "node_id", info.getNodeIdBytes(), LONGEST_NODE_ID);
    if (tooLong.isPresent()) {
      return tooLong;
    }
    int topology = StringMaps.bytes(info.getAccessibleTopology().getSegmentsMap());
    if (topology > StringMaps.LARGEST) {
      return Optional.of(
          "NodeGetInfo gives topology segments of %d bytes; csi.v1 allows %d"
              .formatted(topology, StringMaps.LARGEST));
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
        AttachCapability.in(capabilities),
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

  private static Optional<String> tooLong(String rpc, String field, ByteString value, int most) {
    return value.size() > most
        ? Optional.of(
            "%s gives a %s of %d bytes; csi.v1 allows %d".formatted(rpc, field, value.size(), most))
        : Optional.empty();
  }

  private static String cut(String name) {
    return name.length() <= LONGEST_STRING ? name : name.substring(0, LONGEST_STRING) + "…";
  }
}
