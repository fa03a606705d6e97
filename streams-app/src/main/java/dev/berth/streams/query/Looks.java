package dev.berth.streams.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When a watch looks at which entry: at once when it may have changed, and again a moment later,
 * because a store can be that much behind the topic, whose transaction ends first. An entry that
 * changes all the time is looked at no more often than it is worth. One thread uses it.
 */
final class Looks {
  /** In place of a key: every entry. */
  static final String ALL = "";

  /** By then a store has what was committed with a record, whatever its thread was about. */
  private static final Duration BEHIND = Duration.ofSeconds(1);

  private static final Duration BETWEEN = Duration.ofMillis(100);

  /** Between two looks at every entry: they cost more. */
  private static final Duration BETWEEN_ALL = Duration.ofSeconds(3);

  private final Map<String, Look> due = new LinkedHashMap<>();

  /**
   * The looks at one entry.
   *
   * @param next when the next one is due
   * @param caused when something last gave cause for one
   * @param last when the last one was; null before the first
   */
  private record Look(Instant next, Instant caused, @Nullable Instant last) {}

  /** An entry may have changed. */
  void caused(String key, Instant now) {
    Look known = due.get(key);
    Instant next = now;
    Instant last = known == null ? null : known.last();
    if (last != null && last.plus(between(key)).isAfter(now)) {
      next = last.plus(between(key));
    }
    if (known != null && known.next().isBefore(next)) {
      next = known.next();
    }
    due.put(key, new Look(next, now, last));
  }

  /** A look was in vain; the next one is after a time. */
  void failed(String key, Duration wait, Instant now) {
    due.put(key, new Look(now.plus(wait), now, now));
  }

  /** What is to be looked at now; taken as done. */
  List<String> take(Instant now) {
    List<String> taken = new ArrayList<>();
    Iterator<Map.Entry<String, Look>> entries = due.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Look> entry = entries.next();
      Look look = entry.getValue();
      if (!look.next().isAfter(now)) {
        taken.add(entry.getKey());
        Instant known = look.caused().plus(BEHIND);
        if (known.isAfter(now)) {
          Instant soonest = now.plus(between(entry.getKey()));
          entry.setValue(new Look(soonest.isAfter(known) ? soonest : known, look.caused(), now));
        } else {
          entries.remove();
        }
      }
    }
    return taken;
  }

  private static Duration between(String key) {
    return key.equals(ALL) ? BETWEEN_ALL : BETWEEN;
  }
}
