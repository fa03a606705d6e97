package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeGone;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.cluster.Signal;
import dev.berth.streams.policy.Policies;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Codecs of the cluster view")
class ClusterCodecsTest {

  @Test
  @DisplayName("bring every node back as it was")
  void nodes() {
    RoundTrip.check(ClusterCodecs.NODE_VIEW, random -> node(new Draw(random)));
  }

  @Test
  @DisplayName("bring every instance back as it was")
  void instances() {
    RoundTrip.check(ClusterCodecs.INSTANCE_VIEW, random -> instance(new Draw(random)));
  }

  @Test
  @DisplayName("bring every plugin record back as it was")
  void plugins() {
    RoundTrip.check(ClusterCodecs.PLUGIN_VIEW, random -> plugin(new Draw(random)));
  }

  @Test
  @DisplayName("bring all policies back as they were")
  void policies() {
    RoundTrip.check(ClusterCodecs.POLICIES, random -> policies(new Draw(random)));
  }

  @Test
  @DisplayName("bring every signal back as it was")
  void signals() {
    RoundTrip.check(ClusterCodecs.SIGNAL, ClusterCodecsTest::signal);
  }

  @Test
  @DisplayName("write a deleted node as a deletion")
  void deletedNode() {
    NodeView gone = new NodeView("n1", "nomad", NodeStatus.GONE, true, 3, Instant.EPOCH, null);

    Object body =
        ClusterCodecs.SIGNAL
            .encode()
            .apply(new Signal(Instant.EPOCH, new ClusterSignal.NodeChanged(gone)))
            .getBody();

    assertThat(body).isEqualTo(new NodeGone(ClusterCodecs.NODE_VIEW.encode().apply(gone)));
  }

  private static Signal signal(Random random) {
    Draw draw = new Draw(random);
    ClusterSignal body =
        draw.<ClusterSignal>oneOf(
            () -> new ClusterSignal.NodeChanged(node(draw)),
            () -> new ClusterSignal.InstanceChanged(instance(draw)),
            () ->
                new ClusterSignal.InstanceRemoved(
                    draw.text(), draw.text(), draw.of(PluginRole.class)),
            () -> new ClusterSignal.PluginChanged(plugin(draw)),
            () -> new ClusterSignal.PluginRemoved(draw.text()),
            () -> new ClusterSignal.PoliciesChanged(policies(draw)),
            () -> new ClusterSignal.GarbageCollection(draw.flag(), draw.text()),
            () -> new ClusterSignal.PassedCommand(CommandCodecsTest.command(random)));
    return new Signal(draw.time(), body);
  }

  private static NodeView node(Draw draw) {
    return new NodeView(
        draw.text(),
        draw.text(),
        draw.of(NodeStatus.class),
        draw.flag(),
        draw.number(),
        draw.orNull(draw::time),
        draw.orNull(() -> new Fence(draw.text(), draw.text(), draw.time(), draw.time())));
  }

  private static InstanceView instance(Draw draw) {
    return new InstanceView(
        draw.text(),
        draw.text(),
        draw.of(PluginRole.class),
        draw.flag(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.flag(),
        draw.flag(),
        draw.flag(),
        draw.flag(),
        draw.orNull(draw::text),
        draw.orNull(draw::number));
  }

  private static PluginView plugin(Draw draw) {
    return new PluginView(draw.text(), draw.flag(), draw.orNull(draw::time));
  }

  private static Policies policies(Draw draw) {
    return new Policies(draw.number(), draw.map(draw::texts));
  }
}
