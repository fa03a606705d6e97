package dev.berth.streams.app;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.Command;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/** A plugin on one node, volumes of it, and claims, as schedulers and operators write them. */
final class QueriedInput {
  static final String PLUGIN = "ebs";
  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  private final TestCluster cluster;
  private final Topics topics;

  QueriedInput(TestCluster cluster, Topics topics) {
    this.cluster = cluster;
    this.topics = topics;
  }

  void plugin() throws ExecutionException, InterruptedException {
    cluster.put(
        topics, Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.READY, true, AT), Node.class);
    instances(PluginHealth.HEALTHY);
  }

  /** What the workers find of the plugin's instances. */
  void instances(PluginHealth health) throws ExecutionException, InterruptedException {
    for (PluginRole role : List.of(PluginRole.CONTROLLER, PluginRole.NODE)) {
      String word = role == PluginRole.CONTROLLER ? "controller" : "node";
      cluster.put(
          topics,
          Topic.PLUGINS,
          PLUGIN + "/" + word + "@n1",
          PluginInstance.newBuilder()
              .setPlugin(PLUGIN)
              .setNode("n1")
              .setRole(role)
              .setHealth(health)
              .setAttach(role == PluginRole.CONTROLLER)
              .setExternalNode(role == PluginRole.NODE ? "i-1" : null)
              .setMaxVolumes(role == PluginRole.NODE ? 25L : null)
              .setSeenAt(Instant.now())
              .build(),
          PluginInstance.class);
    }
  }

  /** The scheduler has given up the plugin's node. */
  void nodeDown() throws ExecutionException, InterruptedException {
    cluster.put(
        topics, Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.DOWN, true, AT), Node.class);
  }

  void volume(String namespace, String volume) throws ExecutionException, InterruptedException {
    VolumeSpec spec =
        VolumeSpec.newBuilder()
            .setNamespace(namespace)
            .setVolume(volume)
            .setPlugin(PLUGIN)
            .setExternalId("vol-" + namespace + "-" + volume)
            .setCapabilities(
                List.of(new Capability(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM)))
            .setSecrets(Map.of("token", "${file:/etc/hush-4711:key}"))
            .setMountFlags(List.of("password=hush-4712"))
            .build();
    cluster.put(
        topics,
        Topic.COMMANDS,
        Keys.volume(namespace, volume),
        new Command("register-" + volume, "ann", "new", AT, new RegisterVolume(spec)),
        Command.class);
  }

  void claim(String namespace, String volume, String alloc)
      throws ExecutionException, InterruptedException {
    AllocEvent event =
        AllocEvent.newBuilder()
            .setScheduler("nomad")
            .setIndex(1)
            .setNamespace(namespace)
            .setVolume(volume)
            .setAlloc(alloc)
            .setAt(AT)
            .setBody(
                ClaimRequested.newBuilder()
                    .setRequestId("r-" + alloc)
                    .setNode("n1")
                    .setMode(ClaimMode.WRITE)
                    .setAccess(AccessMode.SINGLE_NODE_WRITER)
                    .build())
            .build();
    cluster.put(
        topics, Topic.ALLOC_EVENTS, Keys.volume(namespace, volume), event, AllocEvent.class);
  }

  void ended(String namespace, String volume, String alloc)
      throws ExecutionException, InterruptedException {
    AllocEvent event =
        AllocEvent.newBuilder()
            .setScheduler("nomad")
            .setIndex(2)
            .setNamespace(namespace)
            .setVolume(volume)
            .setAlloc(alloc)
            .setAt(AT)
            .setBody(new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .build();
    cluster.put(
        topics, Topic.ALLOC_EVENTS, Keys.volume(namespace, volume), event, AllocEvent.class);
  }
}
