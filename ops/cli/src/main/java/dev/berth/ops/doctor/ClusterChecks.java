package dev.berth.ops.doctor;

import dev.berth.ops.topics.SameDifference;
import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import dev.berth.schemas.topics.TransactionVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartitionInfo;

/** What is said of brokers and topics; from what they answered, without asking them. */
final class ClusterChecks {
  /** With fewer, the loss of one broker stops or loses something. */
  private static final int ENOUGH_REPLICAS = 3;

  private ClusterChecks() {}

  /** Of the transactions' version that the brokers have agreed on. */
  static Check transactions(TransactionVersion found) {
    return found.enough()
        ? Check.ok("transactions", found.text())
        : Check.wrong("transactions", found.text() + ", and " + found.danger(), found.remedy());
  }

  /** Of the topics against the catalogue: there, partitions equal where they must be, cleanup. */
  static List<Check> topics(Topics topics, TopicPlan plan) {
    List<Check> checks = new ArrayList<>();
    if (!plan.missing().isEmpty()) {
      checks.add(
          Check.wrong(
              "topics",
              "missing: "
                  + String.join(", ", plan.missing().keySet().stream().map(topics::name).toList()),
              "berth topics create, or give --prefix with the one they have"));
    }
    boolean equal = plan.differences().stream().noneMatch(ClusterChecks::isUnequal);
    if (equal && plan.missing().isEmpty()) {
      checks.add(Check.ok("partitions", "equal where they must be"));
    }
    for (SameDifference each : SameDifference.fold(plan.differences())) {
      String name =
          each.blocking() && each.setting().equals("partitions") ? "partitions" : "topics";
      checks.add(
          each.blocking()
              ? Check.wrong(name, each.text(), each.remedy())
              : Check.warning(name, each.text(), each.remedy()));
    }
    if (plan.missing().isEmpty() && plan.differences().isEmpty()) {
      checks.add(Check.ok("topics", "all there, with the cleanup and retention they need"));
    }
    return checks;
  }

  private static boolean isUnequal(Difference difference) {
    return difference.setting().equals("partitions") && difference.blocking();
  }

  /** Of the copies of each partition. */
  static List<Check> replication(Collection<TopicDescription> topics) {
    List<String> few = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    List<String> leaderless = new ArrayList<>();
    for (TopicDescription topic : topics) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        String name = topic.name() + "-" + partition.partition();
        if (partition.leader() == null || partition.leader().isEmpty()) {
          leaderless.add(name);
        } else if (partition.isr().size() < partition.replicas().size()) {
          behind.add(name);
        }
        if (partition.replicas().size() < ENOUGH_REPLICAS) {
          few.add(name);
        }
      }
    }
    List<Check> checks = new ArrayList<>();
    if (!leaderless.isEmpty()) {
      checks.add(
          Check.wrong(
              "replication",
              "without a leader: " + some(leaderless),
              "bring the brokers back that hold them"));
    }
    if (!behind.isEmpty()) {
      checks.add(
          Check.warning(
              "replication",
              "copies are behind: " + some(behind),
              "look at the brokers that are away or slow"));
    }
    if (!few.isEmpty()) {
      checks.add(
          Check.warning(
              "replication",
              "fewer than %d copies: %s".formatted(ENOUGH_REPLICAS, some(few)),
              "reassign them to %d brokers; one broker is enough for a trial only"
                  .formatted(ENOUGH_REPLICAS)));
    }
    return checks.isEmpty()
        ? List.of(Check.ok("replication", "every partition has its copies in sync"))
        : checks;
  }

  /** Of the producers' partitioner that a file sets, which would part keys from their state. */
  static Check partitioner(Map<String, String> kafka) {
    List<String> set =
        kafka.keySet().stream()
            .filter(
                key -> key.endsWith("partitioner.class") || key.endsWith("partitioner.ignore.keys"))
            .sorted()
            .toList();
    return set.isEmpty()
        ? Check.ok("partitioner", "Kafka's own, by the key")
        : Check.warning(
            "partitioner",
            "kafka.%s is set; Berth's own clients do not use it, and a tool that does writes where"
                    .formatted(set.get(0))
                + " nobody looks",
            "remove it");
  }

  /** The first of some names, and how many others there are. */
  static String some(List<String> names) {
    return names.size() <= 2
        ? String.join(", ", names)
        : "%s and %d others".formatted(names.get(0), names.size() - 1);
  }
}
