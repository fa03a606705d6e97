package dev.berth.streams.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Numbers in keys")
class DigitsTest {
  @ParameterizedTest
  @DisplayName("have leading zeros, and none below zero")
  @CsvSource({
    "0, 4, 0000",
    "-7, 4, 0000",
    "42, 4, 0042",
    "9999, 4, 9999",
    "12345, 4, 12345",
    "9223372036854775807, 19, 9223372036854775807"
  })
  void digits(long number, int digits, String text) {
    assertThat(Digits.of(number, digits)).isEqualTo(text);
  }
}
