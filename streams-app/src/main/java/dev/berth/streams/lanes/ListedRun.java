package dev.berth.streams.lanes;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What complete listings say of a registered volume.
 *
 * @param operationAt last beginning or end of a controller call for it; null when none was seen
 * @param since when the first of the last equal listings began; null when there is none since that
 *     call
 * @param nodes the provider's node ids in them, in order
 * @param told whether the claims of the volume were told of two that are equal
 */
public record ListedRun(
    @Nullable Instant operationAt, @Nullable Instant since, List<String> nodes, boolean told) {

  /** Nothing is known. */
  static final ListedRun NONE = new ListedRun(null, null, List.of(), false);

  /** Keeps a copy. */
  public ListedRun {
    nodes = List.copyOf(nodes);
  }

  /** After a controller call: what was listed before it proves nothing any more. */
  static ListedRun after(Instant operation) {
    return new ListedRun(operation, null, List.of(), false);
  }

  /** Whether a listing that began then can tell of the volume as it is now. */
  boolean isOlderThan(Instant began) {
    return operationAt == null || began.isAfter(operationAt);
  }

  ListedRun begun(Instant began, List<String> listed) {
    return new ListedRun(operationAt, began, listed, false);
  }

  ListedRun asTold() {
    return new ListedRun(operationAt, since, nodes, true);
  }
}
