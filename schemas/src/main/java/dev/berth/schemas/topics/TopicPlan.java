package dev.berth.schemas.topics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a cluster lacks of the catalogue, and where it differs. Pure: from what exists, without
 * asking anybody.
 *
 * <p>A missing topic gets as many partitions as the existing ones that it must agree with, whatever
 * the layout says: a cluster that was laid out with other numbers stays consistent. While those
 * disagree among themselves, nothing of their kind is created.
 *
 * @param missing topics to create, with their partition counts
 * @param differences topics that exist and differ, in the order of the catalogue
 */
public record TopicPlan(Map<Topic, Integer> missing, List<Difference> differences) {

  private static final String POLICY = "cleanup.policy";

  /** Copies its collections. */
  public TopicPlan {
    missing = new LinkedHashMap<>(missing);
    differences = List.copyOf(differences);
  }

  /**
   * Compares the catalogue with a cluster.
   *
   * @param topics the catalogue under its prefix
   * @param layout what the deployment asks for
   * @param existing topics of the catalogue that exist
   */
  public static TopicPlan of(Topics topics, Layout layout, Map<Topic, ExistingTopic> existing) {
    Map<Topic, Integer> missing = new EnumMap<>(Topic.class);
    List<Difference> differences = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      Agreement agreement = Agreement.of(topic.partitioning(), layout, existing);
      ExistingTopic found = existing.get(topic);
      if (found == null) {
        if (agreement.reached()) {
          missing.put(topic, agreement.count());
        }
      } else {
        String name = topics.name(topic);
        addPartitions(name, topic, found, agreement, layout, differences);
        addReplication(name, found, layout, differences);
        addConfigs(name, topic, found, differences);
      }
    }
    return new TopicPlan(missing, differences);
  }

  private static void addPartitions(
      String name,
      Topic topic,
      ExistingTopic found,
      Agreement agreement,
      Layout layout,
      List<Difference> differences) {
    if (topic.partitioning().equal() && found.partitions() != agreement.count()) {
      differences.add(
          partitions(
              name,
              agreement.count(),
              found,
              true,
              "topics keyed by %s must have equally many: stop Berth and its clients, delete this topic and provision again"
                  .formatted(topic.partitioning().by())));
    } else if (layout.asked(topic.partitioning()).orElse(found.partitions())
        != found.partitions()) {
      differences.add(
          partitions(
              name,
              layout.count(topic.partitioning()),
              found,
              false,
              "it is kept as it is, since new partitions would part keys from their state: set the"
                  + " configured count to "
                  + found.partitions()));
    }
  }

  private static Difference partitions(
      String name, int expected, ExistingTopic found, boolean blocking, String remedy) {
    return new Difference(
        name,
        "partitions",
        Integer.toString(expected),
        Integer.toString(found.partitions()),
        blocking,
        remedy);
  }

  private static void addReplication(
      String name, ExistingTopic found, Layout layout, List<Difference> differences) {
    if (found.replicationFactor() < layout.replicationFactor()) {
      differences.add(
          new Difference(
              name,
              "replication.factor",
              Integer.toString(layout.replicationFactor()),
              Integer.toString(found.replicationFactor()),
              false,
              "fewer copies survive the loss of fewer brokers: add replicas with"
                  + " kafka-reassign-partitions"));
    }
  }

  private static void addConfigs(
      String name, Topic topic, ExistingTopic found, List<Difference> differences) {
    topic
        .configs()
        .forEach(
            (setting, expected) -> {
              String actual = found.configs().getOrDefault(setting, "unset");
              if (!actual.equals(expected)) {
                differences.add(config(name, setting, expected, actual));
              }
            });
  }

  private static Difference config(String name, String setting, String expected, String actual) {
    boolean blocking = setting.equals(POLICY);
    String command =
        "kafka-configs --alter --entity-type topics --entity-name %s --add-config %s=%s"
            .formatted(name, setting, expected);
    String remedy =
        blocking
            ? "it decides which records the broker drops, so it is never changed for you: "
                + command
            : "unless that is meant: " + command;
    return new Difference(name, setting, expected, actual, blocking, remedy);
  }

  /**
   * The partition count of one kind of topic.
   *
   * @param reached whether all that exist have it, or need not
   */
  private record Agreement(int count, boolean reached) {

    static Agreement of(
        Partitioning partitioning, Layout layout, Map<Topic, ExistingTopic> existing) {
      if (!partitioning.equal()) {
        return new Agreement(layout.count(partitioning), true);
      }
      Map<Integer, Long> topicsByCount =
          Arrays.stream(Topic.values())
              .filter(topic -> topic.partitioning() == partitioning && existing.containsKey(topic))
              .map(existing::get)
              .collect(Collectors.groupingBy(ExistingTopic::partitions, Collectors.counting()));
      if (partitioning == Partitioning.CLUSTER || topicsByCount.isEmpty()) {
        int count = layout.count(partitioning);
        return new Agreement(count, topicsByCount.keySet().stream().allMatch(n -> n == count));
      }
      // The count that most have needs the fewest topics to be made anew.
      int count =
          topicsByCount.entrySet().stream()
              .max(
                  Map.Entry.<Integer, Long>comparingByValue()
                      .thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
              .orElseThrow()
              .getKey();
      return new Agreement(count, topicsByCount.size() == 1);
    }
  }
}
