package dev.berth.streams.claims;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a claim was taken with. Its detach uses these, not today's records (domain.md, life cycle
 * 3).
 *
 * @param plugin plugin id
 * @param externalVolume the provider's volume id
 * @param externalNode the provider's node id, never empty; null while unknown
 * @param controllerRequired whether a controller was needed
 * @param context CSI volume_context
 * @param secrets CSI secret references
 * @param fsType file system type; null leaves it to the plugin
 * @param mountFlags mount flags
 */
public record ClaimTerms(
    String plugin,
    String externalVolume,
    @Nullable String externalNode,
    boolean controllerRequired,
    Map<String, String> context,
    Map<String, String> secrets,
    @Nullable String fsType,
    List<String> mountFlags) {

  /** Keeps copies; an empty node id counts as unknown, for a call with it would mean every node. */
  public ClaimTerms {
    externalNode = externalNode == null || externalNode.isEmpty() ? null : externalNode;
    context = Map.copyOf(context);
    secrets = Map.copyOf(secrets);
    mountFlags = List.copyOf(mountFlags);
  }

  ClaimTerms at(String knownExternalNode) {
    return new ClaimTerms(
        plugin,
        externalVolume,
        knownExternalNode,
        controllerRequired,
        context,
        secrets,
        fsType,
        mountFlags);
  }
}
