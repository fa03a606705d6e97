package dev.berth.producers.trace;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.VolumeSpec;
import java.util.List;

/**
 * A volume that the allocs of a trace use.
 *
 * @param id volume id
 * @param plugin plugin id
 * @param externalId the provider's id of the volume
 * @param access the one access mode it has
 * @param clientMounts whether the allocs' clients mount it, rather than node workers
 */
public record TraceVolume(
    String id, String plugin, String externalId, AccessMode access, boolean clientMounts) {

  /** Namespace of the volumes of all traces. */
  public static final String NAMESPACE = "trace";

  /** What is to be registered. */
  public VolumeSpec spec() {
    return VolumeSpec.newBuilder()
        .setNamespace(NAMESPACE)
        .setVolume(id)
        .setPlugin(plugin)
        .setExternalId(externalId)
        .setCapabilities(List.of(new Capability(access, AttachmentMode.FILE_SYSTEM)))
        .build();
  }
}
