package dev.berth.ops.record;

import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimRequested;
import dev.berth.records.StateChange;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where a recording begins: at the last moment before the time asked for at which the volumes had
 * no claim. A scenario begins with an empty table, so only from such a moment on can it hold.
 *
 * @param position index of the first record that is replayed
 * @param missing claims that were there at that moment and whose origin is no longer kept
 */
record Begin(int position, Set<String> missing) {

  static Begin find(List<Kept> records, Wanted wanted, Concern concern) {
    Set<String> missing = olderThanKept(records, concern);
    Set<String> left = new HashSet<>(missing);
    VolumeTable table = new VolumeTable();
    Instant from = wanted.from();
    int begin = -1;
    for (int i = 0; i < records.size(); i++) {
      Kept kept = records.get(i);
      if (concern.isStory(kept)) {
        begin = begin < 0 ? i : begin;
        if (from == null || !kept.at().isBefore(from)) {
          boolean empty = table.isEmpty() && left.isEmpty();
          return empty ? new Begin(i, Set.of()) : new Begin(begin, missing);
        }
      }
      if (kept.value() instanceof ClaimDecision decision && concern.isOurs(decision)) {
        table.apply(decision);
        decision.getChanges().stream()
            .filter(change -> change.getValue().isEmpty())
            .forEach(change -> left.remove(change.getKey()));
        if (table.isEmpty() && left.isEmpty()) {
          begin = i + 1;
          missing = Set.of();
        }
      }
    }
    return new Begin(Math.max(0, begin), missing);
  }

  /** Claims whose first kept change is not that which made them. */
  private static Set<String> olderThanKept(List<Kept> records, Concern concern) {
    Set<String> met = new HashSet<>();
    Set<String> older = new LinkedHashSet<>();
    for (Kept kept : records) {
      if (kept.value() instanceof ClaimDecision decision && concern.isOurs(decision)) {
        boolean claim =
            decision.getEvent() instanceof AllocEvent event
                && event.getBody() instanceof ClaimRequested;
        for (StateChange change : decision.getChanges()) {
          if (change.getTable().equals("claims") && met.add(change.getKey()) && !claim) {
            older.add(change.getKey());
          }
        }
      }
    }
    return older;
  }
}
