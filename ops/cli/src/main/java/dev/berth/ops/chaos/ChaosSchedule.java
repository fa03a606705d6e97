package dev.berth.ops.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Which process suffers what and when. Pure: the same seed and length give the same faults.
 *
 * @param seed what they were drawn from
 * @param length of the load; the last fault is over before its end
 * @param faults in the order of their moments
 */
public record ChaosSchedule(long seed, Duration length, List<Fault> faults) {

  /**
   * Counts up whenever seeds get other schedules: a result is one of its seed and its version. 2:
   * rolls, and kills of the broker.
   */
  public static final int VERSION = 2;

  /** Target of a roll. */
  static final String ALL = "all";

  /** Five processes, of which each takes some seconds to end and to get ready. */
  static final Duration ROLL = Duration.ofSeconds(40);

  /** Longer than a session (6 s) and a transaction (10 s): others have taken over by then. */
  static final Duration LONGEST_STOP = Duration.ofSeconds(13);

  /** Shorter runs would have no other fault beside it. */
  private static final Duration SHORTEST_WITH_ROLL = Duration.ofMinutes(1);

  private static final int BROKER_EVERY = 12;
  private static final int PLUGIN_EVERY = 6;
  private static final int STREAMS_EVERY = 3;

  /** Copies the list. */
  public ChaosSchedule {
    faults = List.copyOf(faults);
  }

  /**
   * Draws a schedule. A process is never struck while it is still away, two may be away together,
   * but none during a roll.
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
    // Of numbers of its own, so that a length without room for it has the same other faults.
    roll(new SplittableRandom(~seed), length).ifPresent(faults::add);
    long last = length.minus(LONGEST_STOP).toMillis();
    for (long at = random.nextLong(3_000, 6_000); at < last; at += random.nextLong(3_000, 9_000)) {
      Fault fault = draw(random, Duration.ofMillis(at));
      if (faults.stream().noneMatch(other -> collide(other, fault))) {
        faults.add(fault);
      }
    }
    faults.sort(Comparator.comparing(Fault::at));
    return new ChaosSchedule(seed, length, faults);
  }

  private static Optional<Fault> roll(SplittableRandom random, Duration length) {
    if (length.compareTo(SHORTEST_WITH_ROLL) < 0 || random.nextBoolean()) {
      return Optional.empty();
    }
    Duration at = millis(random, 3_000, length.minus(ROLL).toMillis());
    return Optional.of(new Fault(at, Fault.Kind.ROLL, ALL, ROLL));
  }

  private static boolean collide(Fault one, Fault other) {
    boolean related =
        one.target().equals(other.target())
            || one.kind() == Fault.Kind.ROLL
            || other.kind() == Fault.Kind.ROLL;
    return related && beginsBeforeEnd(one, other) && beginsBeforeEnd(other, one);
  }

  private static boolean beginsBeforeEnd(Fault one, Fault other) {
    // The second more is for its start.
    return one.at().compareTo(other.at().plus(other.lasts()).plusSeconds(1)) < 0;
  }

  private static Fault draw(SplittableRandom random, Duration at) {
    int lot = random.nextInt(BROKER_EVERY);
    if (lot == 0) {
      Fault.Kind kind = random.nextBoolean() ? Fault.Kind.KILL : Fault.Kind.RESTART;
      return new Fault(at, kind, Cluster.BROKER, millis(random, 500, 3_000));
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
