package dev.berth.schemas.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicPlanTest {

  private static final Topics TOPICS = Topics.withDefaultPrefix();

  @Test
  void createsTheWholeCatalogueOnAnEmptyCluster() {
    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(3), Map.of());

    assertThat(plan.missing()).containsOnlyKeys(Topic.values());
    assertThat(plan.missing())
        .allSatisfy(
            (topic, count) -> assertThat(count).isEqualTo(topic.partitioning().defaultCount()));
    assertThat(plan.differences()).isEmpty();
  }

  @Test
  void findsNothingToDoWhereAllIsAsItCreatesIt() {
    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), asCreated());

    assertThat(plan).isEqualTo(new TopicPlan(Map.of(), List.of()));
  }

  @Test
  void givesTheCountsTheDeploymentAskedFor() {
    Layout layout = new Layout(1, Map.of(Partitioning.VOLUME, 8));

    TopicPlan plan = TopicPlan.of(TOPICS, layout, Map.of());

    assertThat(plan.missing())
        .containsEntry(Topic.ALLOC_EVENTS, 8)
        .containsEntry(Topic.SETTLEMENTS, 8)
        .containsEntry(Topic.LANE_REQUESTS, 12);
  }

  @Test
  void givesAMissingTopicTheCountOfThoseItMustAgreeWith() {
    Map<Topic, ExistingTopic> existing = asCreated();
    existing.replaceAll(
        (topic, found) ->
            topic.partitioning() == Partitioning.VOLUME ? withPartitions(found, 6) : found);
    existing.remove(Topic.SETTLEMENTS);

    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), existing);

    assertThat(plan).isEqualTo(new TopicPlan(Map.of(Topic.SETTLEMENTS, 6), List.of()));
  }

  @Test
  void keepsExistingCountsAndSaysSoWhenTheDeploymentAsksForOthers() {
    Layout layout = new Layout(1, Map.of(Partitioning.NODE, 24));

    TopicPlan plan = TopicPlan.of(TOPICS, layout, asCreated());

    assertThat(plan.differences())
        .containsExactly(
            new Difference(
                "berth.node-work",
                "partitions",
                "24",
                "12",
                false,
                "it is kept as it is, since new partitions would part keys from their state: set"
                    + " the configured count to 12"));
  }

  @Test
  void blocksWhenATopicDisagreesWithThoseKeyedAlike() {
    Map<Topic, ExistingTopic> existing = asCreated();
    existing.put(Topic.COMMANDS, withPartitions(asCreated(Topic.COMMANDS), 1));
    existing.remove(Topic.VOLUMES);

    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), existing);

    assertThat(plan.missing()).isEmpty();
    assertThat(plan.differences())
        .containsExactly(
            new Difference(
                "berth.commands",
                "partitions",
                "4",
                "1",
                true,
                "topics keyed by namespace/volume must have equally many: stop Berth and its"
                    + " clients, delete this topic and provision again"));
  }

  @Test
  void blocksWhenTheClustersInputIsSpread() {
    Map<Topic, ExistingTopic> existing = asCreated();
    existing.replaceAll(
        (topic, found) ->
            topic.partitioning() == Partitioning.CLUSTER ? withPartitions(found, 3) : found);

    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), existing);

    assertThat(plan.differences())
        .extracting(Difference::topic, Difference::expected, Difference::blocking)
        .containsExactly(
            tuple("berth.nodes", "1", true),
            tuple("berth.plugins", "1", true),
            tuple("berth.policies", "1", true),
            tuple("berth.cluster-commands", "1", true));
  }

  @Test
  void blocksOnAnotherCleanupPolicyAndNamesTheCommand() {
    Map<Topic, ExistingTopic> existing = asCreated();
    existing.put(Topic.CLAIMS, withConfig(asCreated(Topic.CLAIMS), "cleanup.policy", "delete"));

    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), existing);

    assertThat(plan.differences())
        .containsExactly(
            new Difference(
                "berth.claims",
                "cleanup.policy",
                "compact",
                "delete",
                true,
                "it decides which records the broker drops, so it is never changed for you:"
                    + " kafka-configs --alter --entity-type topics --entity-name berth.claims"
                    + " --add-config cleanup.policy=compact"));
  }

  @Test
  void reportsAnotherRetentionWithoutBlocking() {
    Map<Topic, ExistingTopic> existing = asCreated();
    existing.put(Topic.COMMANDS, withConfig(asCreated(Topic.COMMANDS), "retention.ms", "3600000"));

    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(1), existing);

    assertThat(plan.differences())
        .containsExactly(
            new Difference(
                "berth.commands",
                "retention.ms",
                "2592000000",
                "3600000",
                false,
                "unless that is meant: kafka-configs --alter --entity-type topics --entity-name"
                    + " berth.commands --add-config retention.ms=2592000000"));
  }

  @Test
  void reportsTopicsWithTooFewCopies() {
    TopicPlan plan = TopicPlan.of(TOPICS, Layout.replicated(3), asCreated());

    assertThat(plan.differences())
        .hasSize(Topic.values().length)
        .allSatisfy(
            difference -> {
              assertThat(difference.setting()).isEqualTo("replication.factor");
              assertThat(difference.found()).isEqualTo("1");
              assertThat(difference.blocking()).isFalse();
            });
  }

  @Test
  void refusesToSpreadTheClustersInput() {
    assertThatThrownBy(() -> new Layout(1, Map.of(Partitioning.CLUSTER, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partitions 2 for CLUSTER");
  }

  @Test
  void refusesLessThanOneCopy() {
    assertThatThrownBy(() -> Layout.replicated(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("replication factor 0");
  }

  private static Map<Topic, ExistingTopic> asCreated() {
    Map<Topic, ExistingTopic> existing = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      existing.put(topic, asCreated(topic));
    }
    return existing;
  }

  private static ExistingTopic asCreated(Topic topic) {
    return new ExistingTopic(topic.partitioning().defaultCount(), 1, topic.configs());
  }

  private static ExistingTopic withPartitions(ExistingTopic topic, int partitions) {
    return new ExistingTopic(partitions, topic.replicationFactor(), topic.configs());
  }

  private static ExistingTopic withConfig(ExistingTopic topic, String setting, String value) {
    Map<String, String> configs = new HashMap<>(topic.configs());
    configs.put(setting, value);
    return new ExistingTopic(topic.partitions(), topic.replicationFactor(), configs);
  }
}
