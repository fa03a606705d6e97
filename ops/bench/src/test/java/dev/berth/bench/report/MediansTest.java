package dev.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.measure.Measure;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MediansTest {

  @Test
  @DisplayName("a case is a row, and what was measured of it a column")
  void pivot() {
    Medians medians =
        Medians.of(
            List.of(
                Measure.exact("load 0.3, berth: wait", "s", List.of(1.0, 2.0, 30.0)),
                Measure.exact("load 0.3, berth: calls", "", List.of(7.0)),
                Measure.exact("load 0.3, nomad: wait", "s", List.of(4.0)),
                Measure.exact("of no case", "", List.of(9.0))));

    assertThat(medians)
        .isEqualTo(
            new Medians(
                List.of("median of", "wait (s)", "calls"),
                List.of(
                    List.of("load 0.3, berth", "2.00", "7.00"),
                    List.of("load 0.3, nomad", "4.00", ""))));
    assertThat(medians.worthShowing()).isTrue();
  }

  @Test
  @DisplayName("one case, or one column, is not worth a table of its own")
  void small() {
    assertThat(Medians.of(Reports.one().sections().get(0).measures()).worthShowing()).isFalse();
  }
}
