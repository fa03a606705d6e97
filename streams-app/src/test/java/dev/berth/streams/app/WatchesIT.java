package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.Message;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.NodeStatus;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.WatchAttachmentsRequest;
import dev.berth.proto.api.WatchLanesRequest;
import dev.berth.proto.api.WatchNodeSlotsRequest;
import dev.berth.proto.api.WatchNodesRequest;
import dev.berth.proto.api.WatchPluginsRequest;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchVolumesRequest;
import dev.berth.records.PluginHealth;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A watch of an instance on a real broker")
class WatchesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private static Path directory;
  private static final Topics topics = new Topics("watches");
  private static TestCluster cluster;
  private static QueriedInput input;
  private static BerthApp app;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster(directory);
    cluster.provision(topics);
    app =
        new BerthApp(
            cluster.config(topics, directory.resolve("one"), Map.of()), BerthTopology::build);
    app.start();
    assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
    channel = Grpc.newChannelBuilder(app.apiAddress(), InsecureChannelCredentials.create()).build();
    input = new QueriedInput(cluster, topics);
    input.plugin();
    BerthGrpc.BerthBlockingStub api = BerthGrpc.newBlockingStub(channel);
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(
            () ->
                api.listPlugins(ListPluginsRequest.getDefaultInstance()).getPluginsList().stream()
                    .anyMatch(plugin -> plugin.getHealthyNodes() == 1));
    input.volume("b", "v1");
    input.volume("b", "v2");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                api.listVolumes(ListVolumesRequest.getDefaultInstance()).getVolumesList().stream()
                        .filter(Volume::getSchedulable)
                        .count()
                    == 2);
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    app.close();
    cluster.close();
  }

  @Test
  @DisplayName("tells volumes, attachments, lanes, slots, nodes, plugins and what is stuck")
  void everything() throws Exception {
    BerthGrpc.BerthStub api = BerthGrpc.newStub(channel);
    Told<Volume> volumes = new Told<>(Volume.class);
    api.watchVolumes(
        WatchVolumesRequest.newBuilder().setNamespace("b").setVolume("v1").build(),
        volumes.client());
    Told<Attachment> attachments = new Told<>(Attachment.class);
    api.watchAttachments(WatchAttachmentsRequest.getDefaultInstance(), attachments.client());
    Told<PluginLanes> lanes = new Told<>(PluginLanes.class);
    api.watchLanes(WatchLanesRequest.getDefaultInstance(), lanes.client());
    Told<NodeSlots> slots = new Told<>(NodeSlots.class);
    api.watchNodeSlots(WatchNodeSlotsRequest.getDefaultInstance(), slots.client());
    Told<Node> nodes = new Told<>(Node.class);
    api.watchNodes(WatchNodesRequest.getDefaultInstance(), nodes.client());
    Told<Plugin> plugins = new Told<>(Plugin.class);
    api.watchPlugins(WatchPluginsRequest.getDefaultInstance(), plugins.client());
    Told<Stuck> stuck = new Told<>(Stuck.class);
    api.watchStuck(WatchStuckRequest.getDefaultInstance(), stuck.client());
    for (Told<?> told : List.of(volumes, attachments, lanes, slots, nodes, plugins, stuck)) {
      await().atMost(PATIENCE).until(() -> told.kinds.contains("synced"));
    }
    assertThat(volumes.entries).hasSize(1).allMatch(Volume::getSchedulable);
    assertThat(attachments.entries).isEmpty();
    assertThat(slots.entries).extracting(NodeSlots::getInUse).containsExactly(0L);
    assertThat(nodes.entries)
        .extracting(Node::getStatus)
        .containsExactly(NodeStatus.NODE_STATUS_READY);

    input.claim("b", "v1", "alloc-1");

    volumes.await(volume -> volume.getWriters() == 1);
    attachments.await(attachment -> attachment.getNode().equals("n1"));
    lanes.await(one -> one.getOpen() == 1);
    slots.await(of -> of.getInUse() == 1);

    input.nodeDown();

    nodes.await(node -> node.getStatus() == NodeStatus.NODE_STATUS_DOWN);
    plugins.await(
        plugin -> plugin.getInstancesList().stream().noneMatch(PluginInstance::getNodeReady));
    stuck.await(one -> one.getClaim().getAlloc().equals("alloc-1"));
    volumes.await(volume -> volume.getStuck() == 1);

    input.instances(PluginHealth.UNHEALTHY);

    plugins.await(plugin -> plugin.getHealthyNodes() == 0);
    volumes.await(volume -> !volume.getSchedulable());
    assertThat(volumes.entries)
        .extracting(volume -> volume.getRef().getVolume())
        .containsOnly("v1");
  }

  /**
   * What one watch has told.
   *
   * @param type what its list shows
   */
  private record Told<T extends Message>(Class<T> type, List<T> entries, List<String> kinds) {
    Told(Class<T> type) {
      this(type, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
    }

    void await(Predicate<T> wanted) {
      Awaitility.await(type.getSimpleName())
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(entries).anyMatch(wanted));
    }

    <C extends Message> StreamObserver<C> client() {
      return new StreamObserver<>() {
        @Override
        public void onNext(C change) {
          change
              .getAllFields()
              .forEach(
                  (kind, what) -> {
                    if (kind.getName().equals("updated")) {
                      entries.add(type.cast(what));
                    }
                    kinds.add(kind.getName());
                  });
        }

        @Override
        public void onError(Throwable failure) {
          kinds.add(failure.toString());
        }

        @Override
        public void onCompleted() {
          kinds.add("completed");
        }
      };
    }
  }
}
