package dev.berth.streams.command;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an operator or a scheduler registers. Secrets and mount flags are references, never values.
 *
 * @param namespace namespace
 * @param volume volume id within the namespace
 * @param plugin id of the CSI plugin that serves it
 * @param externalId the provider's volume id (CSI volume_id)
 * @param capabilities pairs of modes that the volume supports
 * @param secrets CSI secrets: name to reference
 * @param context CSI volume_context
 * @param parameters parameters it was created with; shown, not sent
 * @param fsType file system type; null leaves it to the plugin
 * @param mountFlags mount flags
 * @param topologies segments that can reach it; shown, not decided on
 */
public record VolumeSpec(
    String namespace,
    String volume,
    String plugin,
    String externalId,
    List<Capability> capabilities,
    Map<String, String> secrets,
    Map<String, String> context,
    Map<String, String> parameters,
    @Nullable String fsType,
    List<String> mountFlags,
    List<Map<String, String>> topologies) {

  /** Keeps copies. */
  public VolumeSpec {
    capabilities = List.copyOf(capabilities);
    secrets = Map.copyOf(secrets);
    context = Map.copyOf(context);
    parameters = Map.copyOf(parameters);
    mountFlags = List.copyOf(mountFlags);
    topologies = topologies.stream().map(Map::copyOf).toList();
  }

  /** Key of the volume: {@code namespace/volume}. */
  public String key() {
    return namespace + "/" + volume;
  }

  /**
   * One access mode together with one attachment mode.
   *
   * @param access CSI access mode
   * @param attachment file system or block device
   */
  public record Capability(AccessMode access, AttachmentMode attachment) {}
}
