package dev.berth.ops.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.topics.TopicContent.Entry;
import dev.berth.records.InstanceGone;
import dev.berth.records.InstanceView;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.PluginRole;
import dev.berth.records.Signal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReadinessTest {

  @Test
  @DisplayName("known is what every partition was told last")
  void known() {
    Entry<Signal> node = entry(0, node("n1"));
    Entry<Signal> plugin = entry(0, instance(true));
    assertThat(Readiness.known(List.of(node, plugin)))
        .isEqualTo(Set.of("node n1", "ebs NODE on n1"));
    assertThat(Readiness.known(List.of(node, plugin, entry(1, node("n1")))))
        .isEqualTo(Set.of("node n1"));
  }

  @Test
  @DisplayName("an instance of an earlier run that was taken back is not known")
  void takenBack() {
    Entry<Signal> before = entry(0, instance(true));
    Entry<Signal> gone = entry(0, new InstanceGone("ebs", "n1", PluginRole.NODE));
    assertThat(Readiness.known(List.of(before, gone))).isEmpty();
    assertThat(Readiness.known(List.of(before, gone, before))).isEqualTo(Set.of("ebs NODE on n1"));
    assertThat(Readiness.known(List.of(before, entry(0, instance(false))))).isEmpty();
  }

  private static Entry<Signal> entry(int partition, Object body) {
    return new Entry<>(
        new TopicPartition("berth.volume-signals", partition),
        0,
        "",
        Optional.of(new Signal(Instant.EPOCH, body)));
  }

  private static NodeView node(String id) {
    return NodeView.newBuilder()
        .setNode(id)
        .setScheduler("dev")
        .setStatus(NodeStatus.READY)
        .setEligible(true)
        .setIncarnation(1)
        .build();
  }

  private static InstanceView instance(boolean healthy) {
    return InstanceView.newBuilder()
        .setPlugin("ebs")
        .setNode("n1")
        .setRole(PluginRole.NODE)
        .setHealthy(healthy)
        .build();
  }
}
