package dev.berth.producers;

import dev.berth.schemas.headers.Trace;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * How a scheduler speaks to Berth. Start with {@link #of} and change what differs.
 *
 * @param schedulerId id of the scheduler, the same for ever: claims belong to it. No slash
 * @param connection where Berth's topics are
 * @param indexes who numbers statements
 * @param linger how long a statement waits for others to share its transaction, 0 to 10 ms
 * @param writeTimeout how long the library tries to write a statement before it gives up, at least
 *     a second
 * @param clock source of numbers ({@link IndexSource#CLOCK}) and of the times shown to people
 * @param traces asked by each thing that is said, on the thread that says it: the trace that it
 *     belongs to, which goes with it to the plugin's call and back
 */
public record SchedulerConfig(
    String schedulerId,
    Connection connection,
    IndexSource indexes,
    Duration linger,
    Duration writeTimeout,
    Clock clock,
    Supplier<Trace> traces) {

  private static final Duration LONGEST_LINGER = Duration.ofMillis(10);
  private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);

  /**
   * Checks every field.
   *
   * @throws IllegalArgumentException naming field, value and remedy
   */
  public SchedulerConfig {
    FieldRules.id("schedulerId", schedulerId);
    if (linger.isNegative() || linger.compareTo(LONGEST_LINGER) > 0) {
      throw new IllegalArgumentException(
          "linger %s is out of range: give 0 to %s".formatted(linger, LONGEST_LINGER));
    }
    if (writeTimeout.compareTo(SHORTEST_TIMEOUT) < 0) {
      throw new IllegalArgumentException(
          "writeTimeout %s is too short: give at least %s"
              .formatted(writeTimeout, SHORTEST_TIMEOUT));
    }
  }

  /** The usual settings: numbers by clock, 3 ms linger, two minutes to write. */
  public static SchedulerConfig of(String schedulerId, Connection connection) {
    return new SchedulerConfig(
        schedulerId,
        connection,
        IndexSource.CLOCK,
        Duration.ofMillis(3),
        Duration.ofMinutes(2),
        Clock.systemUTC(),
        () -> Trace.NONE);
  }

  /** The same with another source of numbers. */
  public SchedulerConfig withIndexes(IndexSource source) {
    return new SchedulerConfig(
        schedulerId, connection, source, linger, writeTimeout, clock, traces);
  }

  /** The same with another linger. */
  public SchedulerConfig withLinger(Duration duration) {
    return new SchedulerConfig(
        schedulerId, connection, indexes, duration, writeTimeout, clock, traces);
  }

  /** The same with another time to write. */
  public SchedulerConfig withWriteTimeout(Duration duration) {
    return new SchedulerConfig(schedulerId, connection, indexes, linger, duration, clock, traces);
  }

  /** The same with another clock. */
  public SchedulerConfig withClock(Clock other) {
    return new SchedulerConfig(
        schedulerId, connection, indexes, linger, writeTimeout, other, traces);
  }

  /** The same, with what says which trace the caller is in. */
  public SchedulerConfig withTraces(Supplier<Trace> current) {
    return new SchedulerConfig(
        schedulerId, connection, indexes, linger, writeTimeout, clock, current);
  }
}
