package dev.berth.bench.system;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import java.util.List;

/**
 * A volume that one alloc of a bench uses at a time.
 *
 * @param id its id, and the provider's
 * @param plugin plugin id
 * @param node where the alloc is
 * @param use which of the allocs that use it one after the other, from 1
 */
public record BenchVolume(String id, String plugin, String node, int use) {
  /** Namespace of all of them. */
  public static final String NAMESPACE = "bench";

  static final AccessMode ACCESS = AccessMode.SINGLE_NODE_WRITER;

  /** Its alloc. */
  public String alloc() {
    return id + "-" + use;
  }

  /** The same volume with the alloc that comes next. */
  public BenchVolume again() {
    return new BenchVolume(id, plugin, node, use + 1);
  }

  VolumeSpec spec() {
    return VolumeSpec.newBuilder()
        .setNamespace(NAMESPACE)
        .setVolume(id)
        .setPlugin(plugin)
        .setExternalId(id)
        .setCapabilities(List.of(new Capability(ACCESS, AttachmentMode.FILE_SYSTEM)))
        .build();
  }
}
