package dev.berth.ops.command;

import dev.berth.ops.api.Listed;
import dev.berth.ops.api.Reads;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ListAttachmentsRequest;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeStatus;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The claims of a volume that an unblock takes as unmounted: those on their way out that wait for
 * an unmount or an unstaging on a node that is down or disconnected, and those that are held for a
 * node that is down. One whose mount is under way on a disconnected node is shown too, and Berth
 * passes it over.
 *
 * @param volume the volume
 */
record LostNodes(VolumeName volume) implements AtStake.Narrowing {
  private static final String NODE_LOST = "node-lost";

  /** Steps after which it is not known that nothing is mounted. */
  private static final Set<String> MAY_BE_MOUNTED = Set.of("open", "failed");

  private static final Set<String> MAY_BE_STAGED = Set.of("maybe", "staged");

  @Override
  public List<Claim> of(List<Claim> claims, Reads reads, Consumer<String> missing) {
    if (claims.isEmpty()) {
      return claims;
    }
    Listed<Node> nodes = reads.nodes(ListNodesRequest.getDefaultInstance());
    Listed<Attachment> attachments =
        reads.attachments(
            ListAttachmentsRequest.newBuilder()
                .setNamespace(volume.namespace())
                .setVolume(volume.id())
                .build());
    nodes.missing().forEach(missing);
    attachments.missing().forEach(missing);
    Map<String, NodeStatus> status =
        nodes.entries().stream().collect(Collectors.toMap(Node::getNode, Node::getStatus));
    Set<String> staged =
        attachments.entries().stream()
            .filter(attachment -> MAY_BE_STAGED.contains(attachment.getStaging()))
            .map(Attachment::getNode)
            .collect(Collectors.toSet());
    return claims.stream()
        .filter(
            claim ->
                isFreed(
                    claim,
                    status.getOrDefault(claim.getNode(), NodeStatus.NODE_STATUS_UNSPECIFIED),
                    staged.contains(claim.getNode())))
        .toList();
  }

  private static boolean isFreed(Claim claim, NodeStatus node, boolean staged) {
    boolean live = claim.getEndCause().isEmpty();
    boolean owes = staged || MAY_BE_MOUNTED.contains(claim.getNodeStep());
    return switch (node) {
      case NODE_STATUS_DOWN -> live ? claim.getHold().getCode().equals(NODE_LOST) : owes;
      case NODE_STATUS_DISCONNECTED -> !live && owes;
      default -> false;
    };
  }
}
