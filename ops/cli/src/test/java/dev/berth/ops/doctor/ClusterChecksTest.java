package dev.berth.ops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.doctor.Check.Result;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import dev.berth.schemas.topics.TransactionVersion;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterChecksTest {
  private static final Node ONE = new Node(1, "a", 1);
  private static final Node TWO = new Node(2, "b", 1);
  private static final Node THREE = new Node(3, "c", 1);

  @Test
  @DisplayName("transactions before version 2 are wrong, with the command that helps")
  void transactions() {
    assertThat(ClusterChecks.transactions(new TransactionVersion((short) 2)))
        .isEqualTo(new Check("transactions", Result.OK, "transaction.version is 2", ""));
    assertThat(ClusterChecks.transactions(new TransactionVersion((short) 0)))
        .isEqualTo(
            new Check(
                "transactions",
                Result.WRONG,
                "transaction.version is 0, and 2 is needed: with less, a late producer can write into"
                    + " a transaction of its successor",
                "kafka-features upgrade --feature transaction.version=2"));
  }

  @Test
  @DisplayName(
      "a missing topic and a blocking difference are wrong, another difference is a warning")
  void topics() {
    TopicPlan plan =
        new TopicPlan(
            Map.of(Topic.CLAIMS, 8),
            List.of(
                new Difference("berth.a", "partitions", "8", "6", true, "make it anew"),
                new Difference("berth.b", "retention.ms", "1", "2", false, "set it")));
    assertThat(ClusterChecks.topics(new Topics("berth"), plan))
        .containsExactly(
            new Check(
                "topics",
                Result.WRONG,
                "missing: berth.claims",
                "berth topics create, or give --prefix with the one they have"),
            new Check(
                "partitions", Result.WRONG, "berth.a: partitions is 6, expected 8", "make it anew"),
            new Check(
                "topics", Result.WARNING, "berth.b: retention.ms is 2, expected 1", "set it"));
  }

  @Test
  @DisplayName("no leader is wrong; copies behind or fewer than three are warnings")
  void replication() {
    assertThat(ClusterChecks.replication(List.of(topic(ONE, List.of(ONE, TWO, THREE), 3))))
        .extracting(Check::result)
        .containsExactly(Result.OK);
    assertThat(ClusterChecks.replication(List.of(topic(null, List.of(ONE, TWO, THREE), 0))))
        .extracting(Check::result)
        .containsExactly(Result.WRONG);
    assertThat(ClusterChecks.replication(List.of(topic(ONE, List.of(ONE, TWO), 1))))
        .extracting(Check::found)
        .containsExactly("copies are behind: berth.a-0", "fewer than 3 copies: berth.a-0");
  }

  @Test
  @DisplayName("a plugin without the controller it needs is wrong, one sick node a warning")
  void plugins() {
    PluginInstance well = PluginInstance.newBuilder().setNode("n1").setHealthy(true).build();
    PluginInstance sick = PluginInstance.newBuilder().setNode("n2").setHealthText("down").build();
    Plugin.Builder plugin = Plugin.newBuilder().setPlugin("ebs").addInstances(well).setNodes(1);
    assertThat(ApiChecks.plugins(List.of(plugin.setHealthyNodes(1).build())))
        .containsExactly(new Check("plugin ebs", Result.OK, "all 1 instances are well", ""));
    assertThat(ApiChecks.plugins(List.of(plugin.addInstances(sick).build())))
        .containsExactly(
            new Check(
                "plugin ebs",
                Result.WARNING,
                "1 of 2 instances are not well, one on node n2: down",
                "berth plugin status ebs"));
    assertThat(ApiChecks.plugins(List.of(plugin.setControllerRequired(true).build())))
        .extracting(Check::result)
        .containsExactly(Result.WRONG);
  }

  private static TopicDescription topic(Node leader, List<Node> replicas, int inSync) {
    return new TopicDescription(
        "berth.a",
        false,
        List.of(new TopicPartitionInfo(0, leader, replicas, replicas.subList(0, inSync))));
  }
}
