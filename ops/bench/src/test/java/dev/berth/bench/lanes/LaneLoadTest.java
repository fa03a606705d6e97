package dev.berth.bench.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.system.BenchVolume;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaneLoadTest {

  @Test
  @DisplayName("each plugin gets its calls, in turn with the others, on volumes of its own")
  void volumes() {
    LaneLoad load = new LaneLoad(LaneLoad.Kind.MANY, 2, 1, Duration.ofMillis(200), 2);

    assertThat(load.volumes(7))
        .containsExactly(
            new BenchVolume("r7-many-1-0", "many-1", "n1", 1),
            new BenchVolume("r7-many-2-0", "many-2", "n1", 1),
            new BenchVolume("r7-many-1-1", "many-1", "n1", 1),
            new BenchVolume("r7-many-2-1", "many-2", "n1", 1));
    assertThat(load.ideal()).isEqualTo(Duration.ofMillis(400));
  }

  @Test
  @DisplayName("lanes by node share the calls, and the longest of them counts")
  void byNode() {
    LaneLoad load = new LaneLoad(LaneLoad.Kind.BY_NODE, 1, 4, Duration.ofMillis(200), 9);

    assertThat(load.volumes(1)).extracting(BenchVolume::node).contains("n1", "n2", "n3", "n4");
    assertThat(load.ideal()).isEqualTo(Duration.ofMillis(600));
  }

  @Test
  @DisplayName("lanes by volume have one call each")
  void byVolume() {
    assertThat(new LaneLoad(LaneLoad.Kind.BY_VOLUME, 1, 4, Duration.ofSeconds(5), 100).ideal())
        .isEqualTo(Duration.ofSeconds(5));
  }
}
