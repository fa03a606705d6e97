package dev.berth.ops.lives;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * When the lives of a run are killed, decided before it begins: the same number and seed give the
 * same schedule. The first kill falls into the work. Of the others two in three do, each further on
 * than the one before, and one in three falls into the start or soon after it. A life whose work is
 * over before its point is killed then.
 *
 * @param points one per kill, in order
 */
public record KillSchedule(List<KillPoint> points) {

  /** Most kills of a run. */
  public static final int MOST = 50;

  private static final double EARLIEST = 0.05;
  private static final double LATEST = 0.9;
  private static final int LONGEST_LATER_MILLIS = 400;
  private static final int OLDEST_AT_START_MILLIS = 12_000;
  private static final int ONE_IN = 3;

  /** Copies its list. */
  public KillSchedule {
    points = List.copyOf(points);
  }

  /**
   * The schedule of a seed.
   *
   * @param kills how many (count)
   * @throws IllegalArgumentException when that is out of range
   */
  public static KillSchedule of(int kills, long seed) {
    if (kills < 1 || kills > MOST) {
      throw new IllegalArgumentException("kills %d: give 1 to %d".formatted(kills, MOST));
    }
    RandomGenerator random = new SplittableRandom(seed);
    double[] shares = random.doubles(kills, EARLIEST, LATEST).sorted().toArray();
    List<KillPoint> points = new ArrayList<>();
    for (double share : shares) {
      Duration later = Duration.ofMillis(random.nextInt(LONGEST_LATER_MILLIS));
      Duration age = Duration.ofMillis(random.nextInt(OLDEST_AT_START_MILLIS));
      boolean atStart = random.nextInt(ONE_IN) == 0 && !points.isEmpty();
      points.add(atStart ? new KillPoint.AtAge(age) : new KillPoint.AtProgress(share, later));
    }
    return new KillSchedule(points);
  }
}
