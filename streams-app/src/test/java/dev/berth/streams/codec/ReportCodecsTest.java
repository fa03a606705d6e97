package dev.berth.streams.codec;

import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.ClusterClock;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.cluster.Sighting;
import dev.berth.streams.policy.NamedPolicy;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Codecs of reports about the cluster")
class ReportCodecsTest {

  @Test
  @DisplayName("bring every node report back as it was")
  void nodes() {
    RoundTrip.check(ReportCodecs.NODE, random -> node(new Draw(random)));
  }

  @Test
  @DisplayName("bring every instance report back as it was")
  void instances() {
    RoundTrip.check(ReportCodecs.INSTANCE, random -> instance(new Draw(random)));
  }

  @Test
  @DisplayName("bring every policy back as it was")
  void policies() {
    RoundTrip.check(ReportCodecs.POLICY, ReportCodecsTest::policy);
  }

  @Test
  @DisplayName("bring every row that Cluster keeps for itself back as it was")
  void ownRows() {
    RoundTrip.check(
        ReportCodecs.SIGHTING,
        random -> new Sighting(new Draw(random).text(), new Draw(random).time()));
    RoundTrip.check(
        ReportCodecs.CLOCK,
        random -> new ClusterClock(new Draw(random).time(), new Draw(random).time()));
  }

  private static NodeReport node(Draw draw) {
    return new NodeReport(
        draw.text(), draw.text(), draw.of(NodeStatus.class), draw.flag(), draw.time());
  }

  private static NamedPolicy policy(Random random) {
    Draw draw = new Draw(random);
    return new NamedPolicy(draw.text(), draw.texts(), draw.text(), draw.text(), draw.time());
  }

  private static InstanceReport instance(Draw draw) {
    return new InstanceReport(
        draw.text(),
        draw.text(),
        draw.of(PluginRole.class),
        draw.of(PluginHealth.class),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.flag(),
        draw.flag(),
        draw.flag(),
        draw.flag(),
        draw.orNull(draw::text),
        draw.orNull(draw::number),
        draw.texts(),
        draw.time());
  }
}
