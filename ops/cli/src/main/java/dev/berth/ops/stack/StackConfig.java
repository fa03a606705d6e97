package dev.berth.ops.stack;

import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Script;
import dev.berth.schemas.topics.Layout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What an embedded stack is made of. Start with {@link #in} and change what differs.
 *
 * @param data where everything is kept
 * @param scheduler id of the scheduler that the nodes belong to
 * @param plugins the plugins
 * @param nodeIds the nodes, each once; controllers run on the first ones
 * @param served by plugin id: the nodes that have an instance of it; a plugin that is not named has
 *     one on every node
 * @param controllerLatency time of an attach or detach
 * @param nodeLatency time of a node call
 * @param script what the plugins do besides; shared by all of them
 * @param listingInterval mean time between two listings of a plugin's volumes
 * @param createVolumes whether providers make a volume when it is first named
 * @param oneCallLog whether the log of calls goes on where that of the last run on the same data
 *     ended, rather than begin anew
 * @param apiPort port of the query API; 0 for any that is free
 * @param layout partitions of the topics
 * @param streamThreads threads of the Streams application (count)
 */
public record StackConfig(
    Path data,
    String scheduler,
    List<StackPlugin> plugins,
    List<String> nodeIds,
    Map<String, List<String>> served,
    Latency controllerLatency,
    Latency nodeLatency,
    Script script,
    Duration listingInterval,
    boolean createVolumes,
    boolean oneCallLog,
    int apiPort,
    Layout layout,
    int streamThreads) {

  /** Nodes unless somebody asks for others. */
  public static final int USUAL_NODES = 10;

  /**
   * Copies its collections.
   *
   * @throws IllegalArgumentException when there is no node, a node is named twice, or a plugin is
   *     served on a node that there is not
   */
  public StackConfig {
    plugins = List.copyOf(plugins);
    nodeIds = List.copyOf(nodeIds);
    served =
        served.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, e -> List.copyOf(e.getValue())));
    if (nodeIds.isEmpty() || new HashSet<>(nodeIds).size() < nodeIds.size()) {
      throw new IllegalArgumentException(
          "nodes %s: name at least one, each once".formatted(nodeIds));
    }
    for (Map.Entry<String, List<String>> plugin : served.entrySet()) {
      if (!new HashSet<>(nodeIds).containsAll(plugin.getValue())) {
        throw new IllegalArgumentException(
            "plugin %s is served on %s: name nodes among %s"
                .formatted(plugin.getKey(), plugin.getValue(), nodeIds));
      }
    }
  }

  /**
   * The usual stack: three plugins on ten nodes {@code n1} to {@code n10}, volumes that come into
   * being when named.
   */
  public static StackConfig in(Path data) {
    return new StackConfig(
        data,
        "dev",
        StackPlugin.usual(),
        named(USUAL_NODES),
        Map.of(),
        Latency.fixed(Duration.ofMillis(100)),
        Latency.fixed(Duration.ofMillis(20)),
        Script.empty(),
        Duration.ofSeconds(20),
        true,
        false,
        0,
        EmbeddedStack.LAYOUT,
        1);
  }

  /** The same with nodes of another scheduler. */
  public StackConfig withScheduler(String id) {
    return with(draft -> draft.scheduler = id);
  }

  /** The same with other plugins. */
  public StackConfig withPlugins(List<StackPlugin> others) {
    return with(draft -> draft.plugins = others);
  }

  /** The same with so many nodes {@code n1}, {@code n2}, …, all with every plugin. */
  public StackConfig withNodes(int count) {
    return withNodes(named(count), Map.of());
  }

  /**
   * The same with other nodes.
   *
   * @param serving by plugin id: the nodes that have an instance of it
   * @throws IllegalArgumentException when these do not fit together
   */
  public StackConfig withNodes(List<String> ids, Map<String, List<String>> serving) {
    return with(
        draft -> {
          draft.nodeIds = ids;
          draft.served = serving;
        });
  }

  /** The same with other times of attach and detach. */
  public StackConfig withControllerLatency(Latency latency) {
    return with(draft -> draft.controllerLatency = latency);
  }

  /** The same with other times of attach and detach, and of node calls. */
  public StackConfig withLatencies(Latency ofController, Latency ofNode) {
    return with(
        draft -> {
          draft.controllerLatency = ofController;
          draft.nodeLatency = ofNode;
        });
  }

  /** The same with plugins that follow another script. */
  public StackConfig withScript(Script other) {
    return with(draft -> draft.script = other);
  }

  /** The same with other times between two listings of a plugin's volumes. */
  public StackConfig withListingInterval(Duration other) {
    return with(draft -> draft.listingInterval = other);
  }

  /** The same with providers that know only the volumes that they are told of. */
  public StackConfig withKnownVolumesOnly() {
    return with(draft -> draft.createVolumes = false);
  }

  /** The same with one log of calls over all runs on the same data. */
  public StackConfig withOneCallLog() {
    return with(draft -> draft.oneCallLog = true);
  }

  /** The same with the query API on this port; 0 for any that is free. */
  public StackConfig withApiPort(int port) {
    return with(draft -> draft.apiPort = port);
  }

  /** The same with other partitions and another number of stream threads. */
  public StackConfig withLayout(Layout other, int threads) {
    return with(
        draft -> {
          draft.layout = other;
          draft.streamThreads = threads;
        });
  }

  private StackConfig with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.done();
  }

  /** A copy while it is changed. */
  private static final class Draft {
    private final Path data;
    private String scheduler;
    private List<StackPlugin> plugins;
    private List<String> nodeIds;
    private Map<String, List<String>> served;
    private Latency controllerLatency;
    private Latency nodeLatency;
    private Script script;
    private Duration listingInterval;
    private boolean createVolumes;
    private boolean oneCallLog;
    private int apiPort;
    private Layout layout;
    private int streamThreads;

    Draft(StackConfig config) {
      data = config.data;
      scheduler = config.scheduler;
      plugins = config.plugins;
      nodeIds = config.nodeIds;
      served = config.served;
      controllerLatency = config.controllerLatency;
      nodeLatency = config.nodeLatency;
      script = config.script;
      listingInterval = config.listingInterval;
      createVolumes = config.createVolumes;
      oneCallLog = config.oneCallLog;
      apiPort = config.apiPort;
      layout = config.layout;
      streamThreads = config.streamThreads;
    }

    StackConfig done() {
      return new StackConfig(
          data,
          scheduler,
          plugins,
          nodeIds,
          served,
          controllerLatency,
          nodeLatency,
          script,
          listingInterval,
          createVolumes,
          oneCallLog,
          apiPort,
          layout,
          streamThreads);
    }
  }

  /** The nodes that have an instance of a plugin. */
  public List<String> nodesOf(StackPlugin plugin) {
    return served.getOrDefault(plugin.id(), nodeIds);
  }

  /** The nodes that a plugin's controllers run on, one each. */
  List<String> controllerNodes(StackPlugin plugin) {
    return nodeIds.subList(0, Math.min(plugin.controllers(), nodeIds.size()));
  }

  private static List<String> named(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList();
  }

  /** The provider's name for a node. */
  public static String externalNode(String node) {
    return "i-" + node;
  }
}
