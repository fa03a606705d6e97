package dev.berth.streams.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The wait between attempts")
class BackoffTest {
  private static final Policy.Backoff PLAIN =
      new Policy.Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0);

  @Test
  @DisplayName("grows by its factor up to the longest wait")
  void grows() {
    assertThat(IntStream.rangeClosed(1, 11).mapToObj(failures -> PLAIN.after(failures, 0)))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
  }

  @Test
  @DisplayName("stays the longest wait however many failures there were")
  void neverOverflows() {
    assertThat(PLAIN.after(Integer.MAX_VALUE, 0)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  @DisplayName("is shortened by at most the jitter, and never to nothing")
  void jitter() {
    Policy.Backoff spread = new Policy.Backoff(Duration.ofMillis(1), 1, Duration.ofMillis(1000), 1);

    assertThat(spread.after(1, 0.999)).isEqualTo(Duration.ofMillis(1));
    assertThat(spread.longest(0.5)).isEqualTo(Duration.ofMillis(500));
    assertThat(
            new Policy.Backoff(Duration.ofSeconds(10), 2, Duration.ofMinutes(5), 0.2).after(1, 0.5))
        .isEqualTo(Duration.ofSeconds(9));
  }
}
