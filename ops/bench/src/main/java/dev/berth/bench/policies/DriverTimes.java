package dev.berth.bench.policies;

import dev.berth.driver.script.Latency;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long the simulated driver's calls take, and which fail: drawn from the call itself, so that
 * every policy that makes the same call for the same time finds the same.
 *
 * @param seed another seed is another driver
 */
record DriverTimes(long seed) {
  static final Duration MEDIAN = Duration.ofSeconds(2);
  static final double SIGMA = 0.4;

  /** What a call takes that finds everything as it is to be, or cannot be done. */
  static final Duration NOTHING_TO_DO = Duration.ofMillis(200);

  /** Share of calls that fail though nothing is wrong with them. */
  static final double FAILING = 0.02;

  private static final Latency WORK = Latency.logNormal(MEDIAN, SIGMA);

  /**
   * What is drawn for a call.
   *
   * @param millis how long it takes when it changes something (milliseconds)
   * @param fails whether it is answered UNAVAILABLE and changes nothing
   */
  record Drawn(long millis, boolean fails) {}

  /** The mean of what a call takes (milliseconds). */
  static double meanMillis() {
    return MEDIAN.toMillis() * Math.exp(SIGMA * SIGMA / 2);
  }

  /** What is drawn for a call that is made for the so-manieth time. */
  Drawn draw(Rpc rpc, String volume, String node, int time) {
    long hash = (rpc + "/" + volume + "/" + node + "/" + time).hashCode();
    SplittableRandom random = new SplittableRandom((seed * 0x9E3779B97F4A7C15L) ^ hash);
    boolean fails = random.nextDouble() < FAILING;
    return new Drawn(WORK.sample(random).toMillis(), fails);
  }

  /** The controller's calls. */
  enum Rpc {
    /** ControllerPublishVolume. */
    ATTACH,
    /** ControllerUnpublishVolume. */
    DETACH
  }
}
