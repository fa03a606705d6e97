package dev.berth.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SpreadTest {

  @Test
  @DisplayName("one value far off moves neither the median nor the deviation")
  void farOff() {
    assertThat(Spread.of(List.of(10.0, 12.0, 11.0, 900.0, 9.0)))
        .isEqualTo(new Spread(5, 11, 9, 900, 1));
  }

  @Test
  @DisplayName("the median of an even number of values is between the two middle ones")
  void even() {
    assertThat(Spread.of(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(new Spread(4, 2.5, 1, 4, 1));
  }

  @Test
  @DisplayName("no values have no spread")
  void none() {
    assertThatThrownBy(() -> Spread.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("values is empty: a spread needs at least one");
  }
}
