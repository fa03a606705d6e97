package dev.berth.bench.table;

import dev.berth.bench.table.TableVolume.Kind;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.provider.Access;
import dev.berth.ops.stack.StackConfig;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The node and the plugins of the bench, as records: no process stands behind them. */
final class Fleet {
  private Fleet() {}

  static Node node(Instant at) {
    return new Node(TableVolume.NODE, Events.SCHEDULER, NodeStatus.READY, true, at);
  }

  /** The instances of a plugin. */
  static List<PluginInstance> instances(Kind kind, String plugin, Instant at) {
    List<PluginInstance> instances = new ArrayList<>();
    PluginInstance.Builder onNode = instance(plugin, PluginRole.NODE, at);
    instances.add(onNode.setExternalNode("i-" + TableVolume.NODE).build());
    if (kind == Kind.CONTROLLER) {
      instances.add(instance(plugin, PluginRole.CONTROLLER, at).setAttach(true).build());
    }
    return instances;
  }

  private static PluginInstance.Builder instance(String plugin, PluginRole role, Instant at) {
    return PluginInstance.newBuilder()
        .setPlugin(plugin)
        .setNode(TableVolume.NODE)
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setSeenAt(at);
  }

  /** Key of an instance. */
  static String key(PluginInstance instance) {
    return "%s/%s@%s"
        .formatted(
            instance.getPlugin(),
            instance.getRole().name().toLowerCase(Locale.ROOT),
            instance.getNode());
  }

  /** The same as a stack would be told of them, for asking whether Berth knows them. */
  static StackConfig asStack(List<Kind> kinds) {
    List<StackPlugin> plugins = new ArrayList<>();
    for (Kind kind : kinds) {
      boolean controller = kind == Kind.CONTROLLER;
      PluginFeatures features = controller ? PluginFeatures.all() : PluginFeatures.nodeOnly();
      kind.plugins()
          .forEach(
              id ->
                  plugins.add(
                      new StackPlugin(
                          id,
                          features.withStage(false),
                          controller ? 1 : 0,
                          Access.SINGLE_NODE,
                          0,
                          Map.of())));
    }
    return StackConfig.in(Path.of("unused"))
        .withPlugins(plugins)
        .withNodes(List.of(TableVolume.NODE), Map.of());
  }

  /** All instances of these kinds. */
  static List<PluginInstance> all(List<Kind> kinds, Instant at) {
    return kinds.stream()
        .flatMap(kind -> kind.plugins().stream().flatMap(id -> instances(kind, id, at).stream()))
        .toList();
  }
}
