package dev.berth.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static List<Duration> samples(Latency latency, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> latency.sample(random)).limit(2001).sorted().toList();
  }

  @Test
  void fixedIsAlwaysTheSame() {
    assertThat(samples(Latency.fixed(SECOND), 1)).containsOnly(SECOND);
    assertThat(samples(Latency.none(), 1)).containsOnly(Duration.ZERO);
  }

  @Test
  void uniformFillsItsRange() {
    List<Duration> samples = samples(Latency.uniform(SECOND, SECOND.multipliedBy(3)), 1);

    assertThat(samples.get(0)).isBetween(SECOND, Duration.ofMillis(1_050));
    assertThat(samples.get(1000)).isBetween(Duration.ofMillis(1_900), Duration.ofMillis(2_100));
    assertThat(samples.get(2000)).isBetween(Duration.ofMillis(2_950), SECOND.multipliedBy(3));
  }

  @Test
  void logNormalHasItsMedianItsTailAndItsEnd() {
    List<Duration> samples = samples(new Latency.LogNormal(SECOND, 0.5, Duration.ofSeconds(4)), 1);

    assertThat(samples.get(1000)).isBetween(Duration.ofMillis(950), Duration.ofMillis(1_050));
    assertThat(samples.get(1950)).isBetween(Duration.ofMillis(2_300), Duration.ofMillis(3_100));
    assertThat(samples.get(2000)).isLessThanOrEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void seedDecides() {
    Latency latency = Latency.logNormal(SECOND, 1);

    assertThat(samples(latency, 7)).isEqualTo(samples(latency, 7));
    assertThat(samples(latency, 7)).isNotEqualTo(samples(latency, 8));
  }

  @Test
  void isReadFromText() {
    assertThat(Latency.parse("none")).isEqualTo(Latency.none());
    assertThat(Latency.parse("250ms")).isEqualTo(Latency.fixed(Duration.ofMillis(250)));
    assertThat(Latency.parse("uniform:100us:2m"))
        .isEqualTo(Latency.uniform(Duration.ofNanos(100_000), Duration.ofMinutes(2)));
    assertThat(Latency.parse("log-normal:2s:0.5"))
        .isEqualTo(new Latency.LogNormal(Duration.ofSeconds(2), 0.5, Duration.ofSeconds(40)));
    assertThat(Latency.parse("log-normal:2s:0.5:3s"))
        .isEqualTo(new Latency.LogNormal(Duration.ofSeconds(2), 0.5, Duration.ofSeconds(3)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          5          | '5' is not a latency; write none, 200ms, uniform:MIN:MAX or \
          log-normal:MEDIAN:SIGMA[:MAX]
          uniform:5:1s | '5' is not a duration; write a number and us, ms, s or m, as in 250ms
          uniform:-1s:1s | '-1s' is not a duration; write a number and us, ms, s or m, as in 250ms
          uniform:1s | 'uniform:1s' is not a latency; write none, 200ms, uniform:MIN:MAX or \
          log-normal:MEDIAN:SIGMA[:MAX]
          uniform:2s:1s | max PT1S is less than min PT2S; swap them
          log-normal:1s:wide | sigma 'wide' is not a number; write one as in 0.5
          log-normal:1s:-1 | sigma -1.0 is not a number >= 0
          log-normal:2s:1:1s | max PT1S is less than the median PT2S
          """)
  void wrongTextIsExplained(String text, String message) {
    assertThatThrownBy(() -> Latency.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
