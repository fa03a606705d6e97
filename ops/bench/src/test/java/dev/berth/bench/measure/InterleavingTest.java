package dev.berth.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.machine.LoadMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class InterleavingTest {

  @Test
  @DisplayName("variants take turns, and every other round goes backwards")
  void order() {
    assertThat(Interleaving.order(List.of("a", "b", "c"), 3))
        .containsExactly("a", "b", "c", "c", "b", "a", "a", "b", "c");
  }

  @Test
  @DisplayName("results stay with their variant, in the order of the repetitions")
  void results() throws Exception {
    List<String> told = new ArrayList<>();
    int[] number = {0};

    Map<String, List<Interleaving.Measured<Integer>>> results =
        new Interleaving(
                new LoadMeter(), (done, total, what) -> told.add(done + "/" + total + " " + what))
            .run(List.of("a", "b"), 2, variant -> number[0]++);

    assertThat(told).containsExactly("0/4 a", "1/4 b", "2/4 b", "3/4 a");
    assertThat(results.get("a")).extracting(Interleaving.Measured::result).containsExactly(0, 3);
    assertThat(results.get("b")).extracting(Interleaving.Measured::result).containsExactly(1, 2);
  }
}
