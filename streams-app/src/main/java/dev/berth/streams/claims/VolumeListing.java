package dev.berth.streams.claims;

import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the plugin's listings say of a volume.
 *
 * @param since when the earlier of the last two listings began; null when nothing is known since
 *     the last call for the volume
 * @param nodes the provider's ids of the nodes that one of the two has, or both
 * @param foreign attachments that no claim asked for
 */
public record VolumeListing(@Nullable Instant since, List<String> nodes, List<Foreign> foreign) {

  /** Nothing is known. */
  static final VolumeListing NONE = new VolumeListing(null, List.of(), List.of());

  /** Keeps copies. */
  public VolumeListing {
    nodes = List.copyOf(nodes);
    foreign = List.copyOf(foreign);
  }

  /**
   * An attachment that no claim asked for.
   *
   * @param externalNode the provider's node id
   * @param foundAt when it was found
   * @param request lane request of the detach that an operator asked for; null when none is open
   * @param hold why that detach waits; null when nothing is held
   * @param letter dead letter about that detach that is open; null when none is
   */
  public record Foreign(
      String externalNode,
      Instant foundAt,
      @Nullable String request,
      @Nullable Hold hold,
      @Nullable Letter letter) {
    static Foreign found(String externalNode, Instant now) {
      return new Foreign(externalNode, now, null, null, null);
    }

    Foreign detaching(String byRequest) {
      return new Foreign(externalNode, foundAt, byRequest, null, null);
    }

    Foreign held(Hold why, @Nullable Letter told) {
      return new Foreign(externalNode, foundAt, request, why, told);
    }

    /** As it was found: no detach of it is asked for any more. */
    Foreign leftAlone() {
      return new Foreign(externalNode, foundAt, null, null, null);
    }
  }

  /** A call for the volume has ended: where it is published is no longer known. */
  VolumeListing outdated() {
    return new VolumeListing(null, List.of(), foreign);
  }

  VolumeListing with(List<Foreign> others) {
    return new VolumeListing(since, nodes, others);
  }

  /** Whether both show that an attachment, which was there, is not any more. */
  boolean misses(Attachment attachment) {
    String externalNode = attachment.externalNode();
    return since != null
        && externalNode != null
        && since.isAfter(attachment.since())
        && !nodes.contains(externalNode);
  }

  Optional<Foreign> foreignAt(String externalNode) {
    return foreign.stream().filter(found -> found.externalNode().equals(externalNode)).findFirst();
  }

  Optional<Foreign> foreignOf(String request) {
    return foreign.stream().filter(found -> Objects.equals(found.request(), request)).findFirst();
  }
}
