package dev.berth.driver.provider;

import io.grpc.Status;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Who may be attached where: the conditions and codes of ControllerPublishVolume and
 * ControllerUnpublishVolume in the CSI specification.
 */
final class AttachRules {

  private static final int LETTERS = 'z' - 'a' + 1;

  private AttachRules() {}

  /**
   * Decides an attach.
   *
   * @param ofVolume all attachments of the volume
   * @param onNode all attachments of the node
   */
  static Decision publish(
      String volumeId,
      String nodeId,
      Usage usage,
      Optional<Volume> volume,
      Optional<ProviderNode> node,
      Collection<Attachment> ofVolume,
      Collection<Attachment> onNode) {
    if (volume.isEmpty()) {
      return Decision.refuse(Status.Code.NOT_FOUND, "volume %s does not exist".formatted(volumeId));
    }
    if (node.isEmpty()) {
      return Decision.refuse(Status.Code.NOT_FOUND, "node %s does not exist".formatted(nodeId));
    }
    if (usage.isMultiNode() && volume.get().access() == Access.SINGLE_NODE) {
      return Decision.refuse(
          Status.Code.INVALID_ARGUMENT,
          "volume %s can be used by one node only, not as %s".formatted(volumeId, usage.mode()));
    }
    Optional<Attachment> here = attachedTo(nodeId, ofVolume);
    if (here.isPresent()) {
      return repeated(here.get(), usage);
    }
    Optional<Attachment> conflict =
        ofVolume.stream()
            .filter(other -> !usage.isMultiNode() || !other.usage().isMultiNode())
            .findFirst();
    if (conflict.isPresent()) {
      return Decision.refuse(
          Status.Code.FAILED_PRECONDITION,
          "volume %s is attached to node %s".formatted(volumeId, conflict.get().node()));
    }
    long slots = node.get().slots();
    if (slots > 0 && onNode.size() >= slots) {
      return Decision.refuse(
          Status.Code.RESOURCE_EXHAUSTED,
          "node %s has all of its %d slots in use".formatted(nodeId, slots));
    }
    String device = freeDevice(onNode);
    return new Decision.Accept(
        List.of(new Change.Attached(volumeId, nodeId, usage, device)), context(device));
  }

  private static Decision repeated(Attachment attachment, Usage usage) {
    if (attachment.usage().equals(usage)) {
      return new Decision.Accept(List.of(), context(attachment.device()));
    }
    return Decision.refuse(
        Status.Code.ALREADY_EXISTS,
        "volume %s is attached to node %s as %s, not %s"
            .formatted(
                attachment.volume(),
                attachment.node(),
                attachment.usage().describe(),
                usage.describe()));
  }

  /**
   * Decides a detach. What is not attached counts as detached, also if volume or node are unknown.
   *
   * @param nodeId empty means every node
   */
  static Decision unpublish(String nodeId, Collection<Attachment> ofVolume) {
    List<Change> changes =
        ofVolume.stream()
            .filter(attachment -> nodeId.isEmpty() || attachment.node().equals(nodeId))
            .<Change>map(attachment -> new Change.Detached(attachment.volume(), attachment.node()))
            .toList();
    return new Decision.Accept(changes, Map.of());
  }

  private static Optional<Attachment> attachedTo(String node, Collection<Attachment> ofVolume) {
    return ofVolume.stream().filter(attachment -> attachment.node().equals(node)).findFirst();
  }

  private static Map<String, String> context(String device) {
    return Map.of("device", device);
  }

  private static String freeDevice(Collection<Attachment> onNode) {
    Set<String> used =
        onNode.stream().map(Attachment::device).collect(Collectors.toCollection(TreeSet::new));
    return IntStream.rangeClosed(0, onNode.size())
        .mapToObj(AttachRules::device)
        .filter(name -> !used.contains(name))
        .findFirst()
        .orElseThrow();
  }

  /** Two letters from ba to zz, then three: as clouds name attached disks. */
  private static String device(int index) {
    StringBuilder letters = new StringBuilder();
    for (int rest = index + LETTERS; rest > 0; rest /= LETTERS) {
      letters.insert(0, (char) ('a' + rest % LETTERS));
    }
    return "/dev/xvd" + letters;
  }
}
