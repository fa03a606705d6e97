package dev.berth.driver.provider;

import dev.berth.proto.csi.VolumeCapability;

/**
 * How a caller wants to use a volume: what has to be equal for two calls to be the same.
 *
 * @param mode access mode, never UNKNOWN
 * @param block as a block device, else as a file system
 * @param readonly without writing
 */
public record Usage(VolumeCapability.AccessMode.Mode mode, boolean block, boolean readonly) {

  /** Whether the mode allows several nodes at a time. */
  public boolean isMultiNode() {
    return switch (mode) {
      case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> true;
      default -> false;
    };
  }

  /** Whether the mode allows several targets on one node. */
  public boolean allowsManyTargets() {
    return isMultiNode() || mode == VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER;
  }

  /** In words, for error messages. */
  String describe() {
    return "%s %s %s".formatted(mode, block ? "block" : "mount", readonly ? "ro" : "rw");
  }
}
