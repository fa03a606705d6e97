package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was registered. Secrets are references.
 *
 * @param key namespace and id
 * @param plugin plugin id
 * @param externalId the provider's volume id
 * @param capabilities supported pairs of access and attachment mode
 * @param secrets CSI secret references by name
 * @param context CSI volume_context
 * @param parameters parameters it was created with; shown only
 * @param fsType file system type; null leaves it to the plugin
 * @param mountFlags mount flags (may be references)
 * @param topologies topology segments; shown only
 */
public record VolumeSpec(
    VolumeKey key,
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

  /** Whether it supports this pair. */
  public boolean supports(AccessMode access, AttachmentMode attachment) {
    return capabilities.contains(new Capability(access, attachment));
  }

  /**
   * One supported pair.
   *
   * @param access CSI access mode
   * @param attachment file system or block device
   */
  public record Capability(AccessMode access, AttachmentMode attachment) {}
}
