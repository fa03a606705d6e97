package dev.berth.workers.listing;

import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;

/**
 * When which plugin is listed: once per interval, give or take a fifth of it, so that plugins and
 * workers that started together do not list together for ever. The first listing comes anywhere
 * within the first interval. Confined to one thread.
 */
final class Turns {

  private static final double JITTER = 0.2;

  private final Duration interval;
  private final DoubleSupplier random;

  /** Since when each plugin waits, and how long it has to. */
  private final Map<String, Turn> turns = new HashMap<>();

  /**
   * @param interval mean time between two listings of a plugin
   * @param random from 0 to below 1
   */
  Turns(Duration interval, DoubleSupplier random) {
    this.interval = interval;
    this.random = random;
  }

  /**
   * Returns the plugins whose turn it is, in order; their next turns begin now.
   *
   * @param listed the plugins that are this worker's to list; those that are not any more lose
   *     their turns
   */
  Set<String> due(Set<String> listed, Moment now) {
    turns.keySet().retainAll(listed);
    Set<String> due = new TreeSet<>();
    for (String plugin : listed) {
      Turn turn = turns.get(plugin);
      if (turn == null) {
        turns.put(plugin, new Turn(now, times(random.getAsDouble())));
      } else if (now.since(turn.since()).compareTo(turn.length()) >= 0) {
        due.add(plugin);
        turns.put(plugin, new Turn(now, times(1 - JITTER + 2 * JITTER * random.getAsDouble())));
      }
    }
    return due;
  }

  private Duration times(double factor) {
    return Duration.ofNanos((long) (interval.toNanos() * factor));
  }

  private record Turn(Moment since, Duration length) {}
}
