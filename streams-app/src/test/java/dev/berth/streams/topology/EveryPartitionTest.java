package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A broadcast")
class EveryPartitionTest {
  @Test
  @DisplayName("goes to every partition, whatever its key")
  @SuppressWarnings("removal")
  void all() {
    assertThat(new EveryPartition().partitions("signals", "k", "v", 4).orElseThrow())
        .containsExactlyInAnyOrder(0, 1, 2, 3);
    assertThat(new EveryPartition().partitions("signals", "k", "v", 1).orElseThrow())
        .containsExactly(0);
  }
}
