package dev.berth.streams.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A duration as text")
class DurationTextTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "2m, PT2M",
    "1h30m, PT1H30M",
    "500ms, PT0.5S",
    "10s, PT10S",
    "0s, PT0S",
    "1h2m3s4ms, PT1H2M3.004S",
    "90m, PT1H30M",
    "999999999h, PT999999999H"
  })
  @DisplayName("is read by its units, from hours to milliseconds")
  void reads(String text, Duration expected) {
    assertThat(DurationText.parse(text)).contains(expected);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"", "2", "m", "2 m", "-2m", "2m1h", "1.5h", "2d", "2M", "9999999999h"})
  @DisplayName("is none without a unit, out of order or in other spellings")
  void refuses(String text) {
    assertThat(DurationText.parse(text)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"2m", "1h30m", "500ms", "10s", "0s", "1h2m3s4ms", "720h"})
  @DisplayName("is written the way it is read")
  void formats(String text) {
    assertThat(DurationText.parse(text).map(DurationText::format)).contains(text);
  }

  @Test
  @DisplayName("leaves out what is smaller than a millisecond")
  void leavesOutNanos() {
    assertThat(DurationText.format(Duration.ofSeconds(1, 999_999))).isEqualTo("1s");
  }
}
