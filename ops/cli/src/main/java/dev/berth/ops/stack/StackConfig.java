package dev.berth.ops.stack;

import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Script;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What an embedded stack is made of. Start with {@link #in} and change what differs.
 *
 * @param data where everything is kept
 * @param scheduler id of the scheduler that the nodes belong to
 * @param plugins the plugins
 * @param nodes nodes, named {@code n1}, {@code n2}, …, each with an instance of every plugin
 *     (count)
 * @param controllerLatency time of an attach or detach
 * @param nodeLatency time of a node call
 * @param script what the plugins do besides; shared by all of them
 * @param createVolumes whether providers make a volume when it is first named
 */
public record StackConfig(
    Path data,
    String scheduler,
    List<StackPlugin> plugins,
    int nodes,
    Latency controllerLatency,
    Latency nodeLatency,
    Script script,
    boolean createVolumes) {

  /** Nodes unless somebody asks for another number. */
  public static final int USUAL_NODES = 10;

  /** Copies its list. */
  public StackConfig {
    plugins = List.copyOf(plugins);
    if (nodes < 1) {
      throw new IllegalArgumentException("nodes %d: give at least 1".formatted(nodes));
    }
  }

  /** The usual stack: three plugins on ten nodes, volumes that come into being when named. */
  public static StackConfig in(Path data) {
    return new StackConfig(
        data,
        "dev",
        StackPlugin.usual(),
        USUAL_NODES,
        Latency.fixed(Duration.ofMillis(100)),
        Latency.fixed(Duration.ofMillis(20)),
        Script.empty(),
        true);
  }

  /** The same with nodes of another scheduler. */
  public StackConfig withScheduler(String id) {
    return new StackConfig(
        data, id, plugins, nodes, controllerLatency, nodeLatency, script, createVolumes);
  }

  /** The same with other plugins. */
  public StackConfig withPlugins(List<StackPlugin> others) {
    return new StackConfig(
        data, scheduler, others, nodes, controllerLatency, nodeLatency, script, createVolumes);
  }

  /** The same with another number of nodes. */
  public StackConfig withNodes(int count) {
    return new StackConfig(
        data, scheduler, plugins, count, controllerLatency, nodeLatency, script, createVolumes);
  }

  /** The same with other times of attach and detach. */
  public StackConfig withControllerLatency(Latency latency) {
    return new StackConfig(
        data, scheduler, plugins, nodes, latency, nodeLatency, script, createVolumes);
  }

  /** The same with plugins that follow another script. */
  public StackConfig withScript(Script other) {
    return new StackConfig(
        data, scheduler, plugins, nodes, controllerLatency, nodeLatency, other, createVolumes);
  }

  /** The same with providers that know only the volumes that they are told of. */
  public StackConfig withKnownVolumesOnly() {
    return new StackConfig(
        data, scheduler, plugins, nodes, controllerLatency, nodeLatency, script, false);
  }

  /** The ids of the nodes. */
  public List<String> nodeIds() {
    return IntStream.rangeClosed(1, nodes).mapToObj(i -> "n" + i).toList();
  }

  /** The nodes that a plugin's controllers run on, one each. */
  List<String> controllerNodes(StackPlugin plugin) {
    return nodeIds().subList(0, Math.min(plugin.controllers(), nodes));
  }

  /** The provider's name for a node. */
  public static String externalNode(String node) {
    return "i-" + node;
  }
}
