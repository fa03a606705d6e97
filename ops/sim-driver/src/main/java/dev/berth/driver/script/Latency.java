package dev.berth.driver.script;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** How long a call takes, from when the driver receives it until its effect. */
public sealed interface Latency {

  /** Draws one time, never negative. */
  Duration sample(RandomGenerator random);

  /** Always the same. */
  record Fixed(Duration time) implements Latency {
    public Fixed {
      requireNotNegative("time", time);
    }

    @Override
    public Duration sample(RandomGenerator random) {
      return time;
    }
  }

  /** Anything from {@code min} to {@code max}, evenly. */
  record Uniform(Duration min, Duration max) implements Latency {
    public Uniform {
      requireNotNegative("min", min);
      if (max.compareTo(min) < 0) {
        throw new IllegalArgumentException(
            "max %s is less than min %s; swap them".formatted(max, min));
      }
    }

    @Override
    public Duration sample(RandomGenerator random) {
      return Duration.ofNanos(random.nextLong(min.toNanos(), max.toNanos() + 1));
    }
  }

  /**
   * Mostly near the median with a long tail, as cloud providers answer.
   *
   * @param median half of the times are shorter
   * @param sigma spread of the logarithm; 0.5 puts one call in forty above 2.7 medians
   * @param max no time is longer
   */
  record LogNormal(Duration median, double sigma, Duration max) implements Latency {
    public LogNormal {
      requireNotNegative("median", median);
      if (!(sigma >= 0) || Double.isInfinite(sigma)) {
        throw new IllegalArgumentException("sigma %s is not a number >= 0".formatted(sigma));
      }
      if (max.compareTo(median) < 0) {
        throw new IllegalArgumentException(
            "max %s is less than the median %s".formatted(max, median));
      }
    }

    @Override
    public Duration sample(RandomGenerator random) {
      double nanos = (double) median.toNanos() * Math.exp(sigma * random.nextGaussian());
      return Duration.ofNanos((long) Math.min(nanos, (double) max.toNanos()));
    }
  }

  /** At once. */
  static Latency none() {
    return new Fixed(Duration.ZERO);
  }

  /** Always {@code time}. */
  static Latency fixed(Duration time) {
    return new Fixed(time);
  }

  /** Evenly between the two, both included. */
  static Latency uniform(Duration min, Duration max) {
    return new Uniform(min, max);
  }

  /** Log-normal, cut off at twenty medians. */
  static Latency logNormal(Duration median, double sigma) {
    return new LogNormal(median, sigma, median.multipliedBy(20));
  }

  /**
   * Reads {@code none}, {@code 200ms}, {@code uniform:100ms:300ms}, {@code log-normal:2s:0.5} or
   * {@code log-normal:2s:0.5:30s}.
   *
   * @throws IllegalArgumentException for any other text, saying what is possible
   */
  static Latency parse(String text) {
    List<String> parts = List.of(text.split(":", -1));
    return switch (parts.get(0) + "/" + parts.size()) {
      case "none/1" -> none();
      case "uniform/3" ->
          uniform(DurationText.parse(parts.get(1)), DurationText.parse(parts.get(2)));
      case "log-normal/3" -> logNormal(DurationText.parse(parts.get(1)), sigma(parts.get(2)));
      case "log-normal/4" ->
          new LogNormal(
              DurationText.parse(parts.get(1)),
              sigma(parts.get(2)),
              DurationText.parse(parts.get(3)));
      default -> {
        if (!DurationText.isDuration(text)) {
          throw new IllegalArgumentException(
              "'%s' is not a latency; write none, 200ms, uniform:MIN:MAX or".formatted(text)
                  + " log-normal:MEDIAN:SIGMA[:MAX]");
        }
        yield fixed(DurationText.parse(text));
      }
    };
  }

  private static double sigma(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "sigma '%s' is not a number; write one as in 0.5".formatted(text), e);
    }
  }

  private static void requireNotNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException("%s %s is negative".formatted(name, value));
    }
  }
}
