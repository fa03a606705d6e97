package dev.berth.streams.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.proto.api.WatchNodesRequest;
import dev.berth.proto.api.WatchNodesResponse;
import dev.berth.proto.api.WatchPluginsRequest;
import dev.berth.proto.api.WatchPluginsResponse;
import dev.berth.records.NodeStatus;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.kernel.Change;
import io.grpc.Context;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A watch tells")
class WatchTest {
  private final FakeInstances instances = new FakeInstances();
  private final Peers peers = new Peers(ApiSecurity.NONE);
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final Lister lister = new Lister(new Fan(() -> instances, peers, () -> now));
  private final WatchRun<WatchNodesResponse> nodes = new WatchRun<>();

  @AfterEach
  void close() {
    peers.close();
  }

  @Test
  @DisplayName("what there is, that this was all, how what changes is, and what is gone")
  void changes() {
    put("n1", NodeStatus.READY);

    run(
        () -> {
          put("n1", NodeStatus.DOWN);
          put("n2", NodeStatus.READY);
          changed("n1");
          changed("n2");
        },
        () -> changed("n1"),
        () -> {
          instances.state(0).apply(new Change.Remove(ClusterTables.NODES, "n2"));
          changed("n2");
        });

    assertThat(told())
        .containsExactly(
            "n1 NODE_STATUS_READY",
            "synced",
            "n1 NODE_STATUS_DOWN",
            "n2 NODE_STATUS_READY",
            "n2 removed");
    assertThat(nodes.failure).hasMessageStartingWith("UNAVAILABLE: this instance ends");
  }

  @Test
  @DisplayName("what a store has a moment after the topic")
  void storeBehind() {
    run(() -> changed("n1"), () -> put("n1", NodeStatus.READY), () -> {});

    assertThat(told()).containsExactly("synced", "n1 NODE_STATUS_READY");
  }

  @Test
  @DisplayName("what has changed while its owner did not answer")
  void away() {
    run(
        () -> {
          instances.owned(0, new Instances.Owners(null, List.of()));
          put("n1", NodeStatus.READY);
          changed("n1");
        },
        () -> {},
        () -> instances.owned(0, new Instances.Owners(FakeInstances.SELF, List.of())),
        () -> {},
        () -> {});

    assertThat(told()).containsExactly("synced", "n1 NODE_STATUS_READY");
  }

  @Test
  @DisplayName("everything that has changed when a record does not say what")
  void all() {
    WatchRun<WatchPluginsResponse> plugins = new WatchRun<>();
    put(new PluginView("ebs", true, null));
    put(new PluginView("nfs", false, null));

    plugins.run(
        Watchables.PLUGINS,
        WatchPluginsRequest.getDefaultInstance(),
        lister,
        () -> now,
        List.of(
            () -> {
              put(new PluginView("ebs", false, null));
              instances.state(0).apply(new Change.Remove(ClusterTables.PLUGINS, "nfs"));
              plugins.record(Topic.VOLUME_SIGNALS, null);
            }));

    assertThat(plugins.told)
        .extracting(
            change ->
                switch (change.getChangeCase()) {
                  case UPDATED ->
                      change.getUpdated().getPlugin()
                          + " "
                          + change.getUpdated().getControllerRequired();
                  case REMOVED -> change.getRemoved().getPlugin() + " removed";
                  case SYNCED -> "synced";
                  case CHANGE_NOT_SET -> "nothing";
                })
        .containsExactly("ebs true", "nfs false", "synced", "ebs false", "nfs removed");
  }

  @Test
  @DisplayName("nothing more once its caller is withdrawn, and that it is so")
  void withdrawn() {
    boolean[] still = {true};
    BooleanSupplier supplier = () -> still[0];

    Context.current()
        .withValue(Caller.STILL, supplier)
        .run(
            () ->
                run(
                    () -> still[0] = false,
                    () -> {
                      put("n1", NodeStatus.READY);
                      changed("n1");
                    }));

    assertThat(told()).containsExactly("synced");
    assertThat(nodes.failure).hasMessageStartingWith("UNAUTHENTICATED: the token, certificate");
  }

  /** Each step takes longer than a store can be behind. */
  private void run(Runnable... steps) {
    nodes.run(
        Watchables.NODES,
        WatchNodesRequest.getDefaultInstance(),
        lister,
        () -> now,
        List.of(steps).stream()
            .<Runnable>map(
                step ->
                    () -> {
                      now = now.plus(Duration.ofSeconds(2));
                      step.run();
                    })
            .toList());
  }

  private void changed(String node) {
    nodes.record(Topic.NODE_VIEWS, node);
  }

  private List<String> told() {
    return nodes.told.stream()
        .map(
            change ->
                switch (change.getChangeCase()) {
                  case UPDATED ->
                      change.getUpdated().getNode() + " " + change.getUpdated().getStatus();
                  case REMOVED -> change.getRemoved().getNode() + " removed";
                  case SYNCED -> "synced";
                  case CHANGE_NOT_SET -> "nothing";
                })
        .toList();
  }

  private void put(String node, NodeStatus status) {
    instances
        .state(0)
        .apply(
            new Change.Put<>(
                ClusterTables.NODES,
                node,
                new NodeView(node, "nomad", status, true, 1, null, null)));
  }

  private void put(PluginView plugin) {
    instances.state(0).apply(new Change.Put<>(ClusterTables.PLUGINS, plugin.plugin(), plugin));
  }
}
