package dev.berth.streams.cluster;

import static dev.berth.records.NodeStatus.DISCONNECTED;
import static dev.berth.records.NodeStatus.DOWN;
import static dev.berth.records.NodeStatus.GONE;
import static dev.berth.records.NodeStatus.READY;
import static dev.berth.records.NodeStatus.UNRECOGNIZED;
import static dev.berth.streams.cluster.ClusterWorld.START;
import static dev.berth.streams.cluster.ClusterWorld.broadcast;
import static dev.berth.streams.cluster.ClusterWorld.nothing;
import static dev.berth.streams.cluster.ClusterWorld.report;
import static dev.berth.streams.cluster.ClusterWorld.view;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A node")
class NodesTest {
  private final ClusterWorld world = new ClusterWorld();

  @Test
  @DisplayName("is known to all from its first report")
  void firstReport() {
    assertThat(world.node("n1", READY))
        .isEqualTo(broadcast(new ClusterSignal.NodeChanged(view("n1", READY, 1, null))));
  }

  @Test
  @DisplayName("tells nobody of a report that changes nothing")
  void heartbeat() {
    world.node("n1", READY);

    assertThat(world.after(Duration.ofMinutes(1)).node("n1", READY)).isEqualTo(nothing());
  }

  @Test
  @DisplayName("remembers when contact was first lost, through disconnected, down and gone")
  void contactLost() {
    world.node("n1", READY);
    Instant lost = START.plusSeconds(60);
    world.after(Duration.ofMinutes(1)).node("n1", DISCONNECTED);
    world.after(Duration.ofMinutes(6)).node("n1", DOWN);

    assertThat(world.nodeView("n1")).isEqualTo(view("n1", DOWN, 1, lost));
    assertThat(world.after(Duration.ofMinutes(1)).node("n1", GONE))
        .isEqualTo(broadcast(new ClusterSignal.NodeChanged(view("n1", GONE, 1, lost))));
  }

  @Test
  @DisplayName("that comes back has no lost contact, and loses it anew")
  void contactRegained() {
    world.node("n1", READY);
    world.node("n1", DISCONNECTED);
    world.after(Duration.ofMinutes(1)).node("n1", READY);

    assertThat(world.nodeView("n1")).isEqualTo(view("n1", READY, 1, null));
    world.after(Duration.ofMinutes(1)).node("n1", DISCONNECTED);
    assertThat(world.nodeView("n1")).isEqualTo(view("n1", DISCONNECTED, 1, START.plusSeconds(120)));
  }

  @Test
  @DisplayName("that is first heard of as down has lost contact then")
  void firstHeardDown() {
    world.node("n1", DOWN);

    assertThat(world.nodeView("n1")).isEqualTo(view("n1", DOWN, 1, START));
  }

  @ParameterizedTest(name = "{0} to {1}: incarnation {2}")
  @CsvSource({
    "DISCONNECTED, READY, 1",
    "DISCONNECTED, DOWN, 1",
    "DOWN, READY, 2",
    "DOWN, DISCONNECTED, 2",
    "DOWN, GONE, 1",
    "GONE, READY, 2",
    "GONE, DISCONNECTED, 2",
    "GONE, DOWN, 1"
  })
  @DisplayName("rises in incarnation when it leaves down or gone for where it can be heard")
  void incarnation(NodeStatus from, NodeStatus to, long incarnation) {
    world.node("n1", from);

    world.node("n1", to);

    assertThat(world.nodeView("n1")).extracting(NodeView::incarnation).isEqualTo(incarnation);
  }

  @Test
  @DisplayName("whose record is deleted is gone, and stays known as that")
  void tombstone() {
    world.node("n1", READY);

    assertThat(world.send(new ClusterEvent.NodeDeleted("n1")))
        .isEqualTo(broadcast(new ClusterSignal.NodeChanged(view("n1", GONE, 1, START))));
    assertThat(world.send(new ClusterEvent.NodeDeleted("n1"))).isEqualTo(nothing());
  }

  @Test
  @DisplayName("is gone by a tombstone even if it was never heard of: rows may still name it")
  void tombstoneOfUnknown() {
    NodeView gone = new NodeView("n9", "", GONE, false, 1, START, null);

    assertThat(world.send(new ClusterEvent.NodeDeleted("n9")))
        .isEqualTo(broadcast(new ClusterSignal.NodeChanged(gone)));
  }

  @Test
  @DisplayName("is not taken over by another scheduler while it is there")
  void foreignScheduler() {
    world.node("n1", READY);

    assertThat(world.send(new ClusterEvent.NodeReported(report("n1", "k8s", GONE))))
        .containsExactly(
            new ClusterEffect.Rejected(
                "node 'n1' belongs to scheduler 'nomad', not 'k8s': give the nodes of each"
                    + " scheduler ids of their own, or delete the record first if the scheduler was"
                    + " renamed"));
    assertThat(world.nodeView("n1")).isEqualTo(view("n1", READY, 1, null));
  }

  @Test
  @DisplayName("that is gone can come back under another scheduler")
  void newScheduler() {
    world.node("n1", READY);
    world.node("n1", GONE);

    world.send(new ClusterEvent.NodeReported(report("n1", "k8s", READY)));

    assertThat(world.nodeView("n1"))
        .isEqualTo(new NodeView("n1", "k8s", READY, true, 2, null, null));
  }

  @Test
  @DisplayName("keeps its status when a report holds one that only a newer version knows")
  void unrecognized() {
    world.node("n1", READY);

    assertThat(world.node("n1", UNRECOGNIZED))
        .containsExactly(
            new ClusterEffect.Rejected(
                "status of node 'n1' is one that this version does not know: update Berth first"));
    assertThat(world.nodeView("n1")).isEqualTo(view("n1", READY, 1, null));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(BadId.class)
  @DisplayName("is rejected with an id that cannot be part of a key")
  void badIds(BadId bad) {
    assertThat(world.node(bad.id, READY)).containsExactly(new ClusterEffect.Rejected(bad.reason));
    assertThat(world.state()).isEqualTo(new ClusterWorld().state());
  }

  /** Ids that no node can have, and what is said of them. */
  enum BadId {
    EMPTY(" ", "node is empty: give its id"),
    SLASH("a/b", "node 'a/b' holds a slash or a control character: use an id without"),
    CONTROL("a\nb", "node 'a\nb' holds a slash or a control character: use an id without"),
    LONG("x".repeat(257), "node is 257 characters long: use an id of at most 256");

    private final String id;
    private final String reason;

    BadId(String id, String reason) {
      this.id = id;
      this.reason = reason;
    }
  }
}
