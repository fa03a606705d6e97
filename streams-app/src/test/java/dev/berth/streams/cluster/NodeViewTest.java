package dev.berth.streams.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NodeViewTest {
  private static final Instant LOST = Instant.parse("2030-01-01T00:00:00Z");

  @Test
  void aLostNodeIsLostOnlyForWhatItsOwnSchedulerHasThere() {
    NodeView down = node("west", NodeStatus.DOWN, null);
    assertThat(down.speaksFor("west")).isTrue();
    assertThat(down.speaksFor("east")).isFalse();
    assertThat(down.speaksFor("")).isFalse();
  }

  @Test
  void whereOneOfTheTwoIsNotKnownWhatIsSaidCounts() {
    assertThat(node("west", NodeStatus.DOWN, null).speaksFor(null)).isTrue();
    assertThat(node("", NodeStatus.GONE, null).speaksFor("east")).isTrue();
  }

  @Test
  void thatANodeCanBeReachedCountsForAll() {
    assertThat(node("west", NodeStatus.READY, null).speaksFor("east")).isTrue();
    assertThat(node("west", NodeStatus.DISCONNECTED, null).speaksFor("east")).isFalse();
  }

  @Test
  void aFenceOfThePresentOutageCountsForAllAndAnEarlierOneForNobodyElse() {
    assertThat(node("west", NodeStatus.DOWN, fence(LOST)).speaksFor("east")).isTrue();
    assertThat(node("west", NodeStatus.DOWN, fence(LOST.minusSeconds(1))).speaksFor("east"))
        .isFalse();
  }

  private static Fence fence(Instant at) {
    return new Fence("op", "power is off", at);
  }

  private static NodeView node(String scheduler, NodeStatus status, @Nullable Fence fence) {
    Instant lost = status == NodeStatus.READY ? null : LOST;
    return new NodeView("n1", scheduler, status, true, 1, lost, fence);
  }
}
