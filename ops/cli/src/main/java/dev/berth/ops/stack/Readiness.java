package dev.berth.ops.stack;

import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Connection;
import dev.berth.records.InstanceGone;
import dev.berth.records.InstanceView;
import dev.berth.records.NodeGone;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.PluginRole;
import dev.berth.records.Signal;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a stack takes claims: a claim that comes before the claims' processor has heard of the
 * plugins is rejected as unschedulable. So the signals must name every instance as healthy and
 * every node as ready, and the application must have read them.
 */
public final class Readiness {

  private static final Logger log = LoggerFactory.getLogger(Readiness.class);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Connection connection;
  private final String group;

  /**
   * Of a stack on these topics.
   *
   * @param group consumer group of the Streams application
   */
  public Readiness(Connection connection, String group) {
    this.connection = connection;
    this.group = group;
  }

  /**
   * Returns when the stack takes claims.
   *
   * @throws IllegalStateException saying what is missing, when that takes more than a minute
   */
  public void await(StackConfig config) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Set<String> wanted = wanted(config);
    try (TopicContent content = new TopicContent(connection);
        Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()))) {
      while (true) {
        List<TopicContent.Entry<Signal>> signals =
            content.records(Topic.VOLUME_SIGNALS, Signal.class);
        Set<String> missing = new TreeSet<>(wanted);
        missing.removeAll(known(signals));
        if (missing.isEmpty() && haveRead(admin, signals)) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "the stack takes no claims after %d s: %s; look into its log"
                  .formatted(
                      PATIENCE.toSeconds(),
                      missing.isEmpty()
                          ? "signals are not read"
                          : "nothing is known of " + missing));
        }
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      }
    }
  }

  private static Set<String> wanted(StackConfig config) {
    Set<String> wanted = new HashSet<>();
    for (String node : config.nodeIds()) {
      wanted.add("node " + node);
    }
    for (StackPlugin plugin : config.plugins()) {
      config
          .nodesOf(plugin)
          .forEach(node -> wanted.add(instance(plugin.id(), PluginRole.NODE, node)));
      config
          .controllerNodes(plugin)
          .forEach(node -> wanted.add(instance(plugin.id(), PluginRole.CONTROLLER, node)));
    }
    return wanted;
  }

  /** What every partition has been told last. */
  static Set<String> known(List<TopicContent.Entry<Signal>> signals) {
    Map<TopicPartition, Set<String>> byPartition = new HashMap<>();
    for (TopicContent.Entry<Signal> entry : signals) {
      Set<String> known = byPartition.computeIfAbsent(entry.partition(), p -> new HashSet<>());
      entry.value().ifPresent(signal -> apply(signal.getBody(), known));
    }
    Set<String> common = new HashSet<>();
    byPartition.values().forEach(common::addAll);
    byPartition.values().forEach(common::retainAll);
    return common;
  }

  private static void apply(Object body, Set<String> known) {
    if (body instanceof NodeView node) {
      set(known, "node " + node.getNode(), node.getStatus() == NodeStatus.READY);
    } else if (body instanceof NodeGone gone) {
      set(known, "node " + gone.getLast().getNode(), false);
    } else if (body instanceof InstanceView view) {
      set(known, instance(view.getPlugin(), view.getRole(), view.getNode()), view.getHealthy());
    } else if (body instanceof InstanceGone gone) {
      set(known, instance(gone.getPlugin(), gone.getRole(), gone.getNode()), false);
    }
  }

  private static void set(Set<String> known, String name, boolean well) {
    if (well) {
      known.add(name);
    } else {
      known.remove(name);
    }
  }

  private static String instance(String plugin, PluginRole role, String node) {
    return "%s %s on %s".formatted(plugin, role, node);
  }

  /** Whether the application has gone past every one of these; markers may follow them. */
  private boolean haveRead(Admin admin, List<TopicContent.Entry<Signal>> signals)
      throws InterruptedException {
    try {
      Map<TopicPartition, OffsetAndMetadata> read =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      return signals.stream()
          .allMatch(
              signal -> {
                OffsetAndMetadata next = read.get(signal.partition());
                return next != null && next.offset() > signal.offset();
              });
    } catch (ExecutionException e) {
      log.info("cannot tell yet whether the signals are read error={}", e.toString());
      return false;
    }
  }
}
