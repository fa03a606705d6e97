package dev.berth.streams.cluster;

import static dev.berth.streams.cluster.ClusterWorld.START;
import static dev.berth.streams.cluster.ClusterWorld.broadcast;
import static dev.berth.streams.cluster.ClusterWorld.controller;
import static dev.berth.streams.cluster.ClusterWorld.instance;
import static dev.berth.streams.cluster.ClusterWorld.nodeService;
import static dev.berth.streams.cluster.ClusterWorld.nothing;
import static dev.berth.streams.cluster.ClusterWorld.removed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A plugin instance")
class InstancesTest {
  private final ClusterWorld world = new ClusterWorld();

  @Test
  @DisplayName("brings its plugin's record, and that before itself")
  void firstInstance() {
    assertThat(report(controller("n1")))
        .isEqualTo(
            broadcast(
                new ClusterSignal.PluginChanged(new PluginView("ebs", true, null)),
                new ClusterSignal.InstanceChanged(
                    new InstanceView(
                        "ebs",
                        "n1",
                        PluginRole.CONTROLLER,
                        true,
                        "",
                        "pool",
                        "unix:///csi/ebs",
                        true,
                        true,
                        false,
                        false,
                        null,
                        null))));
  }

  @Test
  @DisplayName("tells nobody of a report that changes nothing, though it was heard")
  void heartbeat() {
    report(controller("n1", "w1"));

    assertThat(world.after(Duration.ofSeconds(30)).send(event(controller("n1", "w1"))))
        .isEqualTo(nothing());
    assertThat(world.state().get(OwnTables.SIGHTINGS, "ebs/controller@n1"))
        .isEqualTo(new Sighting("w1", START.plusSeconds(30)));
  }

  @Test
  @DisplayName("is unhealthy for all when its worker says so")
  void unhealthy() {
    InstanceReport well = nodeService("n1", "w1");
    report(well);

    report(instance("ebs", "n1", PluginRole.NODE, PluginHealth.UNHEALTHY, "w1"));

    assertThat(world.instance(well)).extracting(InstanceView::healthy).isEqualTo(false);
  }

  @Test
  @DisplayName("of a controller makes one required until the record goes, even after it left")
  void sticky() {
    report(nodeService("n1", "w1"));
    assertThat(plugin()).isEqualTo(new PluginView("ebs", false, null));

    report(controller("n1", "w1"));
    report(removed(controller("n1"), "w1"));

    assertThat(plugin()).isEqualTo(new PluginView("ebs", true, null));
  }

  @Test
  @DisplayName("that was the last leaves an empty record that remembers since when")
  void lastOne() {
    report(controller("n1"));
    report(nodeService("n1", "w1"));
    report(removed(controller("n1"), ""));

    assertThat(world.after(Duration.ofMinutes(1)).send(event(removed(nodeService("n1", ""), "w1"))))
        .isEqualTo(
            broadcast(
                new ClusterSignal.InstanceRemoved("ebs", "n1", PluginRole.NODE),
                new ClusterSignal.PluginChanged(
                    new PluginView("ebs", true, START.plusSeconds(60)))));
    report(nodeService("n2", "w1"));
    assertThat(plugin()).isEqualTo(new PluginView("ebs", true, null));
  }

  @Test
  @DisplayName("goes with a tombstone, and a second one changes nothing")
  void tombstone() {
    report(controller("n1"));
    report(controller("n2"));
    ClusterEvent deleted = new ClusterEvent.InstanceDeleted("ebs", "n1", PluginRole.CONTROLLER);

    assertThat(world.send(deleted))
        .isEqualTo(
            broadcast(new ClusterSignal.InstanceRemoved("ebs", "n1", PluginRole.CONTROLLER)));
    assertThat(world.send(deleted)).isEqualTo(nothing());
  }

  @Test
  @DisplayName("does not leave with the worker that served it before")
  void goodbyeOfFormerWorker() {
    report(controller("n1", "w1"));
    report(controller("n1", "w2"));

    assertThat(report(removed(controller("n1"), "w1"))).isEqualTo(nothing());
    assertThat(report(removed(controller("n1"), "w2"))).isNotEmpty();
  }

  @Test
  @DisplayName("is unhealthy when three reports of its worker are missing, and well with the next")
  void silent() {
    InstanceReport report = controller("n1", "w1");
    world.send(new ClusterEvent.Tick());
    report(report);

    assertThat(world.pass(Duration.ofSeconds(85))).isEqualTo(nothing());
    assertThat(world.pass(Duration.ofSeconds(60)))
        .containsExactly(
            new ClusterEffect.Broadcast(new ClusterSignal.InstanceChanged(silent(report))));
    report(report);
    assertThat(world.instance(report)).isEqualTo(report.view());
  }

  @Test
  @DisplayName("that no worker reports cannot fall silent")
  void noWorker() {
    world.send(new ClusterEvent.Tick());
    report(controller("n1"));

    world.pass(Duration.ofHours(1));

    assertThat(world.instance(controller("n1"))).isEqualTo(controller("n1").view());
  }

  @Test
  @DisplayName("is not called silent for the time in which Cluster itself was away")
  void clusterAway() {
    world.send(new ClusterEvent.Tick());
    InstanceReport report = controller("n1", "w1");
    report(report);

    world.after(Duration.ofHours(5));
    world.pass(Duration.ofSeconds(85));
    assertThat(world.instance(report)).isEqualTo(report.view());
    world.pass(Duration.ofSeconds(10));
    assertThat(world.instance(report)).isEqualTo(silent(report));
  }

  @Test
  @DisplayName("is rejected with an id that cannot be part of a key")
  void badIds() {
    assertThat(report(instance("a/b", "n1", PluginRole.NODE, PluginHealth.HEALTHY, "")))
        .containsExactly(
            new ClusterEffect.Rejected(
                "plugin 'a/b' holds a slash or a control character: use an id without"));
    assertThat(report(instance("ebs", "", PluginRole.NODE, PluginHealth.HEALTHY, "")))
        .containsExactly(new ClusterEffect.Rejected("node is empty: give its id"));
  }

  private List<ClusterEffect> report(InstanceReport report) {
    return world.send(event(report));
  }

  private static ClusterEvent event(InstanceReport report) {
    return new ClusterEvent.InstanceReported(report);
  }

  private PluginView plugin() {
    return Objects.requireNonNull(ClusterTables.plugin(world.state(), "ebs"));
  }

  private static InstanceView silent(InstanceReport report) {
    return new InstanceView(
        report.plugin(),
        report.node(),
        report.role(),
        false,
        "no report from worker 'w1' for 1m30s",
        report.route(),
        report.endpoint(),
        report.attach(),
        report.publishReadOnly(),
        report.listPublished(),
        report.stage(),
        report.externalNode(),
        report.maxVolumes());
  }
}
