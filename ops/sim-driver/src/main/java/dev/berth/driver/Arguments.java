package dev.berth.driver;

import dev.berth.driver.provider.Usage;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import java.util.Optional;

/**
 * What the specification demands of the fields of a request. Each method gives what is wrong, empty
 * if nothing is.
 */
final class Arguments {

  private final PluginFeatures features;

  Arguments(PluginFeatures features) {
    this.features = features;
  }

  Optional<String> problem(ControllerPublishVolumeRequest request) {
    return missing("volume_id", request.getVolumeId())
        .or(() -> missing("node_id", request.getNodeId()))
        .or(() -> problem(request.hasVolumeCapability(), request.getVolumeCapability()))
        .or(
            () ->
                request.getReadonly() && !features.publishReadonly()
                    ? Optional.of("readonly is true, but PUBLISH_READONLY is not advertised")
                    : Optional.empty());
  }

  Optional<String> problem(NodeStageVolumeRequest request) {
    return missing("volume_id", request.getVolumeId())
        .or(() -> notAbsolute("staging_target_path", request.getStagingTargetPath()))
        .or(() -> problem(request.hasVolumeCapability(), request.getVolumeCapability()));
  }

  Optional<String> problem(NodePublishVolumeRequest request) {
    return missing("volume_id", request.getVolumeId())
        .or(() -> notAbsolute("target_path", request.getTargetPath()))
        .or(() -> problem(request.hasVolumeCapability(), request.getVolumeCapability()));
  }

  Optional<String> problem(String volumeId, String pathField, String path) {
    return missing("volume_id", volumeId).or(() -> notAbsolute(pathField, path));
  }

  Optional<String> missing(String field, String value) {
    return value.isEmpty() ? Optional.of(field + " is missing") : Optional.empty();
  }

  private Optional<String> notAbsolute(String field, String path) {
    return missing(field, path)
        .or(
            () ->
                path.startsWith("/")
                    ? Optional.empty()
                    : Optional.of("%s '%s' is not an absolute path".formatted(field, path)));
  }

  private Optional<String> problem(boolean present, VolumeCapability capability) {
    if (!present) {
      return Optional.of("volume_capability is missing");
    }
    if (capability.getAccessTypeCase() == VolumeCapability.AccessTypeCase.ACCESSTYPE_NOT_SET) {
      return Optional.of("volume_capability says neither mount nor block");
    }
    VolumeCapability.AccessMode.Mode mode = capability.getAccessMode().getMode();
    return switch (mode) {
      case UNKNOWN, UNRECOGNIZED -> Optional.of("volume_capability has no known access_mode");
      case SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
          features.singleNodeMultiWriter()
              ? Optional.empty()
              : Optional.of(
                  "access_mode %s, but SINGLE_NODE_MULTI_WRITER is not advertised".formatted(mode));
      default -> Optional.empty();
    };
  }

  static Usage usage(VolumeCapability capability, boolean readonly) {
    return new Usage(capability.getAccessMode().getMode(), capability.hasBlock(), readonly);
  }
}
