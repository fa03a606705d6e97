package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OwnersTest {
  private static final Owners OWNERS =
      new Owners(
          Map.of(
              "streams-1",
                  Set.of(
                      new TopicPartition("events", 0),
                      new TopicPartition("lanes", 0),
                      new TopicPartition("lanes", 1)),
              "streams-2",
                  Set.of(
                      new TopicPartition("events", 1),
                      new TopicPartition("events", 2),
                      new TopicPartition("lanes", 2))));

  @Test
  @DisplayName("who has the most of a topic is struck, and the first by name among equals")
  void most() {
    assertThat(OWNERS.ofMost("events")).isEqualTo("streams-2");
    assertThat(OWNERS.ofMost("lanes")).isEqualTo("streams-1");
    assertThat(
            new Owners(
                    Map.of(
                        "b", Set.of(new TopicPartition("t", 0)),
                        "a", Set.of(new TopicPartition("t", 1)),
                        "c", Set.of()))
                .ofMost("t"))
        .isEqualTo("a");
    assertThatThrownBy(() -> OWNERS.ofMost("work")).hasMessageContaining("work");
  }

  @Test
  @DisplayName("partitions are told apart by topic; one that is nobody's is missed")
  void partitions() {
    assertThat(OWNERS.partitions("streams-2", "events")).containsExactlyInAnyOrder(1, 2);
    assertThat(OWNERS.partitions("streams-3", "events")).isEmpty();
    assertThat(OWNERS.haveAll("events", 3)).isTrue();
    assertThat(OWNERS.haveAll("events", 4)).isFalse();
  }
}
