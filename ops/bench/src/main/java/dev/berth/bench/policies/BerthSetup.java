package dev.berth.bench.policies;

import dev.berth.records.AttachmentMode;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What there is before the first claim: nodes, plugins, volumes. */
final class BerthSetup {
  static final String SCHEDULER = "bench";
  private static final String NAMESPACE = "trace";

  /** Runs no alloc, and is never lost. */
  private static final String CONTROLLERS = "controllers";

  private BerthSetup() {}

  static VolumeKey key(String volume) {
    return new VolumeKey(NAMESPACE, volume);
  }

  /** Tells Berth of all that a trial needs. */
  static void of(Trial trial, BerthStreams streams) {
    Set<String> plugins = new TreeSet<>();
    Map<String, Use> volumes = new TreeMap<>();
    for (Use use : trial.uses()) {
      plugins.add(use.plugin());
      volumes.put(use.volume(), use);
    }
    streams.node(CONTROLLERS, NodeStatus.READY);
    trial.nodes().forEach(node -> streams.node(node, NodeStatus.READY));
    for (String plugin : plugins) {
      instance(streams, plugin, CONTROLLERS, PluginRole.CONTROLLER);
      trial.nodes().forEach(node -> instance(streams, plugin, node, PluginRole.NODE));
    }
    volumes.values().forEach(use -> register(streams, use));
  }

  private static void instance(BerthStreams streams, String plugin, String node, PluginRole role) {
    boolean controller = role == PluginRole.CONTROLLER;
    streams.tell(
        new ClusterEvent.InstanceReported(
            new InstanceReport(
                plugin,
                node,
                role,
                PluginHealth.HEALTHY,
                "",
                "",
                "pool",
                "",
                "",
                controller,
                controller,
                false,
                !controller,
                controller ? null : "i-" + node,
                null,
                Map.of(),
                streams.now())));
  }

  private static void register(BerthStreams streams, Use use) {
    VolumeSpec spec =
        new VolumeSpec(
            NAMESPACE,
            use.volume(),
            use.plugin(),
            "vol-" + use.volume(),
            List.of(new VolumeSpec.Capability(BerthModel.access(use), AttachmentMode.FILE_SYSTEM)),
            Map.of(),
            Map.of(),
            Map.of(),
            null,
            List.of(),
            List.of());
    streams.say(
        new ClaimsEvent.Commanded(
            key(use.volume()),
            new Command(
                "register-" + use.volume(),
                "bench",
                "",
                streams.now(),
                new Command.RegisterVolume(spec))));
  }
}
