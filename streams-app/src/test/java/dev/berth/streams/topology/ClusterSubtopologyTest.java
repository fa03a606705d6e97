package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.FenceNode;
import dev.berth.records.GarbageCollection;
import dev.berth.records.InstanceGone;
import dev.berth.records.Node;
import dev.berth.records.NodeGone;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.PluginView;
import dev.berth.records.PoliciesChanged;
import dev.berth.records.Policy;
import dev.berth.records.Signal;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Cluster sub-topology")
class ClusterSubtopologyTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final TopologyBench bench =
      new TopologyBench(
          (topology, context) -> ClusterSubtopology.addTo(topology, context, Policies.DEFAULTS));

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("sends a change to volumes and lanes alike")
  void broadcasts() {
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));

    List<Signal> expected =
        List.of(
            new Signal(START, new NodeView("n1", "nomad", NodeStatus.READY, true, 1L, null, null)));
    assertThat(signals(Topic.VOLUME_SIGNALS)).isEqualTo(expected);
    assertThat(signals(Topic.LANE_SIGNALS)).isEqualTo(expected);
  }

  @Test
  @DisplayName("keeps a table of nodes with their incarnation, those gone too")
  void views() {
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.DOWN));
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));
    bench.putBytes(Topic.NODES, "n1", null);

    assertThat(bench.read(Topic.NODE_VIEWS, NodeView.class))
        .extracting(TestRecord::key, TestRecord::value)
        .containsExactly(
            tuple("n1", view(NodeStatus.READY, 1, null)),
            tuple("n1", view(NodeStatus.DOWN, 1, START)),
            tuple("n1", view(NodeStatus.READY, 2, null)),
            tuple("n1", view(NodeStatus.GONE, 2, START)));
  }

  @Test
  @DisplayName("tells the table of nodes again after a start, once, those gone excepted")
  void viewsAgain() {
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));
    bench.put(Topic.NODES, "n2", node("n2", NodeStatus.GONE));
    bench.read(Topic.NODE_VIEWS, NodeView.class);

    bench.pass(Duration.ofSeconds(5));
    bench.pass(Duration.ofSeconds(5));

    assertThat(bench.read(Topic.NODE_VIEWS, NodeView.class))
        .extracting(TestRecord::key, TestRecord::value)
        .containsExactly(tuple("n1", view(NodeStatus.READY, 1, null)));
  }

  private static NodeView view(NodeStatus status, long incarnation, @Nullable Instant lostAt) {
    return new NodeView("n1", "nomad", status, true, incarnation, lostAt, null);
  }

  @Test
  @DisplayName("takes a tombstone on nodes and plugins for a deletion")
  void tombstones() {
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));
    bench.put(Topic.PLUGINS, "ebs/controller@n1", controller("n1"));
    signals(Topic.LANE_SIGNALS);

    bench.putBytes(Topic.PLUGINS, "ebs/controller@n1", null);
    bench.putBytes(Topic.NODES, "n1", null);

    assertThat(signals(Topic.LANE_SIGNALS))
        .extracting(Signal::getBody)
        .containsExactly(
            new InstanceGone("ebs", "n1", PluginRole.CONTROLLER),
            new PluginView("ebs", true, START),
            new NodeGone(new NodeView("n1", "nomad", NodeStatus.GONE, true, 1L, START, null)));
  }

  @Test
  @DisplayName("answers a command by its id")
  void answers() {
    bench.put(
        Topic.CLUSTER_COMMANDS,
        "n1",
        new Command("c1", "ops", "power off", START, new FenceNode("n1")));

    assertThat(bench.read(Topic.COMMAND_RESULTS, CommandResult.class))
        .extracting(TestRecord::key, TestRecord::value)
        .containsExactly(
            tuple(
                "c1",
                new CommandResult(
                    "c1",
                    "ops",
                    "power off",
                    "FenceNode",
                    "n1",
                    CommandOutcome.REFUSED,
                    "not-found",
                    "no scheduler has ever reported a node 'n1': check its name",
                    START)));
  }

  @Test
  @DisplayName("puts a policy in force, withdraws it by a tombstone")
  void policies() {
    bench.put(Topic.POLICIES, "default", policy("default", "run", "1"));
    bench.putBytes(Topic.POLICIES, "default", null);

    assertThat(signals(Topic.VOLUME_SIGNALS))
        .extracting(Signal::getBody)
        .containsExactly(
            new PoliciesChanged(1L, Map.of("default", Map.of("run", "1"))),
            new PoliciesChanged(2L, Map.of()));
  }

  @Test
  @DisplayName("collects at every multiple of the interval")
  void collects() {
    bench.pass(Duration.ofSeconds(5));
    bench.pass(Duration.ofMinutes(5));

    assertThat(signals(Topic.VOLUME_SIGNALS))
        .extracting(Signal::getBody)
        .containsExactly(new GarbageCollection(false, ""));
  }

  @Test
  @DisplayName("puts records aside that nobody can use, with source and reason, and goes on")
  void rejects() {
    byte[] odd = {9, 9, 9};
    bench.putBytes(Topic.NODES, "n1", odd);
    bench.put(Topic.NODES, "n2", node("n1", NodeStatus.READY));
    bench.put(Topic.NODES, null, node("n1", NodeStatus.READY));
    bench.putBytes(Topic.PLUGINS, "ebs", null);
    bench.putBytes(Topic.CLUSTER_COMMANDS, "n1", null);
    bench.put(Topic.POLICIES, "default", policy("default", "run", "99"));

    List<TestRecord<String, byte[]>> rejected = bench.readBytes(Topic.REJECTED_RECORDS);
    assertThat(rejected)
        .extracting(record -> TopologyBench.headers(record).get("berth.reason"))
        .containsExactly(
            "topic berth.nodes: not a Node: 3 bytes are too short for the header",
            "the key is 'n2' but the record is about 'n1': key it by that",
            "the key is null: key the record by what it is about",
            "the key 'ebs' names no instance: write plugin/controller@node or plugin/node@node",
            "the value is null: cluster-commands has no tombstones",
            "policy 'default', run = '99': it is not a whole number from 0 to 32; write for"
                + " example 1");
    assertThat(rejected.get(0).value()).isEqualTo(odd);
    assertThat(TopologyBench.headers(rejected.get(1)))
        .containsEntry("berth.source.topic", "berth.nodes")
        .containsEntry("berth.source.partition", "0")
        .containsEntry("berth.source.offset", "1");
    bench.put(Topic.NODES, "n1", node("n1", NodeStatus.READY));
    assertThat(signals(Topic.VOLUME_SIGNALS)).hasSize(1);
  }

  private List<Signal> signals(Topic topic) {
    return bench.read(topic, Signal.class).stream().map(TestRecord::value).toList();
  }

  private static Node node(String node, NodeStatus status) {
    return new Node(node, "nomad", status, true, Instant.EPOCH);
  }

  private static Policy policy(String name, String key, String value) {
    return new Policy(name, Map.of(key, value), "ops", "because", Instant.EPOCH);
  }

  private static PluginInstance controller(String node) {
    return PluginInstance.newBuilder()
        .setPlugin("ebs")
        .setNode(node)
        .setRole(PluginRole.CONTROLLER)
        .setHealth(PluginHealth.HEALTHY)
        .setAttach(true)
        .setSeenAt(Instant.EPOCH)
        .build();
  }
}
