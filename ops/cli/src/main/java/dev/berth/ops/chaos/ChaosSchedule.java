package dev.berth.ops.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which process suffers what and when. Pure: the same seed and length give the same faults.
 *
 * @param seed what they were drawn from
 * @param length of the load; the last fault is over before its end
 * @param faults in the order of their moments
 */
public record ChaosSchedule(long seed, Duration length, List<Fault> faults) {

  /** Longer than a session (6 s) and a transaction (10 s): others have taken over by then. */
  static final Duration LONGEST_STOP = Duration.ofSeconds(13);

  private static final int BROKER_EVERY = 12;
  private static final int PLUGIN_EVERY = 6;
  private static final int STREAMS_EVERY = 3;

  /** Copies the list. */
  public ChaosSchedule {
    faults = List.copyOf(faults);
  }

  /**
   * Draws a schedule. A process is never struck while it is still away, two may be away together.
   *
   * @throws IllegalArgumentException if the length leaves no room for a fault
   */
  public static ChaosSchedule of(long seed, Duration length) {
    if (length.compareTo(Duration.ofSeconds(30)) < 0) {
      throw new IllegalArgumentException(
          "a length of %d s leaves no room for faults: give at least 30 s"
              .formatted(length.toSeconds()));
    }
    SplittableRandom random = new SplittableRandom(seed);
    List<Fault> faults = new ArrayList<>();
    long last = length.minus(LONGEST_STOP).toMillis();
    for (long at = random.nextLong(3_000, 6_000); at < last; at += random.nextLong(3_000, 9_000)) {
      Fault fault = draw(random, Duration.ofMillis(at));
      if (faults.stream().noneMatch(before -> isAway(before, fault))) {
        faults.add(fault);
      }
    }
    return new ChaosSchedule(seed, length, faults);
  }

  private static boolean isAway(Fault before, Fault next) {
    // The second more is for its start.
    return before.target().equals(next.target())
        && before.at().plus(before.lasts()).plusSeconds(1).compareTo(next.at()) > 0;
  }

  private static Fault draw(SplittableRandom random, Duration at) {
    int lot = random.nextInt(BROKER_EVERY);
    if (lot == 0) {
      return new Fault(at, Fault.Kind.RESTART, Cluster.BROKER, millis(random, 500, 3_000));
    }
    if (lot % PLUGIN_EVERY == 1) {
      return new Fault(at, Fault.Kind.KILL, Cluster.PLUGINS, millis(random, 500, 4_000));
    }
    String target =
        lot % STREAMS_EVERY == 2
            ? Cluster.STREAMS.get(random.nextInt(Cluster.STREAMS.size()))
            : Cluster.WORKERS.get(random.nextInt(Cluster.WORKERS.size()));
    return switch (random.nextInt(4)) {
      case 0 -> new Fault(at, Fault.Kind.RESTART, target, millis(random, 100, 1_000));
      case 1 -> new Fault(at, Fault.Kind.STOP, target, millis(random, 11_000, 13_000));
      case 2 -> new Fault(at, Fault.Kind.STOP, target, millis(random, 1_000, 8_000));
      default -> new Fault(at, Fault.Kind.KILL, target, millis(random, 200, 6_000));
    };
  }

  private static Duration millis(SplittableRandom random, long least, long most) {
    return Duration.ofMillis(random.nextLong(least, most));
  }
}
