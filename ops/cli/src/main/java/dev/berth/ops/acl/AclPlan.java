package dev.berth.ops.acl;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The least that every role needs. Pure. Writing and reading a topic include describing it (Kafka's
 * rule), so that is not said again.
 */
public final class AclPlan {
  /** Group of {@code berth stuck alert} behind the prefix, unless it is told another. */
  public static final String ALERTS = "alerts";

  private final Topics topics;
  private final List<AclRule> rules = new ArrayList<>();

  private AclPlan(Topics topics) {
    this.topics = topics;
  }

  /**
   * Draws it up.
   *
   * @param applicationId {@code application.id} of the Streams application: its group, and the
   *     beginning of its transactions and changelogs
   * @param workerIds what the ids of all workers begin with: so do their transactions
   */
  public static List<AclRule> of(Topics topics, String applicationId, String workerIds) {
    AclPlan plan = new AclPlan(topics);
    String own = topics.prefix() + ".";
    plan.topics(Role.STREAMS);
    plan.compares(Role.STREAMS, own, "compares all topics with the catalogue at its start");
    plan.prefixed(
        Role.STREAMS,
        ResourceType.TOPIC,
        applicationId + "-",
        "its changelogs, and the topic that fences it",
        AclOperation.CREATE,
        AclOperation.DELETE,
        AclOperation.DESCRIBE_CONFIGS,
        AclOperation.READ,
        AclOperation.WRITE);
    plan.add(
        Role.STREAMS,
        ResourceType.GROUP,
        PatternType.LITERAL,
        List.of(applicationId),
        "its group",
        AclOperation.READ,
        AclOperation.DESCRIBE);
    plan.transactions(Role.STREAMS, applicationId + "-", "its transactions");
    plan.topics(Role.WORKER);
    plan.prefixed(
        Role.WORKER, ResourceType.GROUP, own, "a group for each route", AclOperation.READ);
    plan.transactions(Role.WORKER, own, "transactions of node workers");
    plan.transactions(Role.WORKER, workerIds, "transactions, which begin with the worker's id");
    plan.topics(Role.SCHEDULER);
    plan.transactions(
        Role.SCHEDULER, topics.prefix() + "-scheduler-", "transactions, with the scheduler's id");
    plan.topics(Role.OPERATOR);
    plan.compares(Role.OPERATOR, own, "berth topics check");
    plan.add(
        Role.OPERATOR,
        ResourceType.GROUP,
        PatternType.LITERAL,
        List.of(own + ALERTS),
        "berth stuck alert, its group",
        AclOperation.READ);
    plan.add(
        Role.OPERATOR,
        ResourceType.CLUSTER,
        PatternType.LITERAL,
        List.of(Resource.CLUSTER_NAME),
        "berth doctor",
        AclOperation.DESCRIBE,
        AclOperation.DESCRIBE_CONFIGS);
    plan.prefixed(
        Role.PROVISIONER,
        ResourceType.TOPIC,
        own,
        "berth topics create",
        AclOperation.CREATE,
        AclOperation.DESCRIBE,
        AclOperation.DESCRIBE_CONFIGS);
    return plan.rules;
  }

  private void compares(Role role, String beginning, String why) {
    prefixed(
        role,
        ResourceType.TOPIC,
        beginning,
        why,
        AclOperation.DESCRIBE,
        AclOperation.DESCRIBE_CONFIGS);
  }

  /** What a role does to the topics of the catalogue. */
  private void topics(Role role) {
    List<Topic> reads = Stream.of(Topic.values()).filter(role::reads).toList();
    List<Topic> writes = Stream.of(Topic.values()).filter(role::writes).toList();
    topics(
        role,
        reads.stream().filter(topic -> !writes.contains(topic)),
        "what it reads",
        AclOperation.READ);
    topics(
        role,
        writes.stream().filter(topic -> !reads.contains(topic)),
        "what it writes",
        AclOperation.WRITE);
    topics(
        role,
        reads.stream().filter(writes::contains),
        "what it reads and writes",
        AclOperation.READ,
        AclOperation.WRITE);
  }

  private void topics(Role role, Stream<Topic> some, String why, AclOperation... operations) {
    List<String> names = some.map(topics::name).toList();
    if (!names.isEmpty()) {
      add(role, ResourceType.TOPIC, PatternType.LITERAL, names, why, operations);
    }
  }

  private void transactions(Role role, String beginning, String why) {
    prefixed(
        role,
        ResourceType.TRANSACTIONAL_ID,
        beginning,
        why,
        AclOperation.WRITE,
        AclOperation.DESCRIBE);
  }

  private void prefixed(
      Role role, ResourceType resource, String beginning, String why, AclOperation... operations) {
    add(role, resource, PatternType.PREFIXED, List.of(beginning), why, operations);
  }

  private void add(
      Role role,
      ResourceType resource,
      PatternType pattern,
      List<String> names,
      String why,
      AclOperation... operations) {
    rules.add(new AclRule(role, resource, pattern, names, List.of(operations), why));
  }
}
