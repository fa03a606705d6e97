package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may use a volume at the same time, by its present access mode (domain.md, "Taking a claim").
 * The mode is that of the first claim and lasts until the last row is gone; rows on their way out
 * count, because the disk is still attached.
 */
final class AccessRules {
  /** When a claim may be taken next to those that are there. */
  enum Room {
    ALWAYS,
    WHEN_UNCLAIMED,
    WHEN_NO_WRITER,
    NEVER
  }

  private AccessRules() {}

  /** The table: what a reader or a writer may, by the present mode. */
  static Room room(AccessMode present, boolean writer) {
    return switch (present) {
      case SINGLE_NODE_READER -> writer ? Room.NEVER : Room.WHEN_UNCLAIMED;
      case SINGLE_NODE_WRITER -> Room.WHEN_UNCLAIMED;
      case MULTI_NODE_READER -> writer ? Room.NEVER : Room.ALWAYS;
      case MULTI_NODE_SINGLE_WRITER -> writer ? Room.WHEN_NO_WRITER : Room.ALWAYS;
      case MULTI_NODE_MULTI_WRITER -> Room.ALWAYS;
    };
  }

  /**
   * The claim that keeps another from being taken now.
   *
   * @param room what the table allows; not {@link Room#NEVER}
   * @param counting rows that count for capacity
   * @return null when there is capacity
   */
  static @Nullable Claim holder(Room room, List<Claim> counting) {
    return switch (room) {
      case ALWAYS -> null;
      case WHEN_UNCLAIMED, NEVER -> counting.isEmpty() ? null : counting.get(0);
      case WHEN_NO_WRITER ->
          counting.stream().filter(c -> c.ask().writes()).findFirst().orElse(null);
    };
  }
}
