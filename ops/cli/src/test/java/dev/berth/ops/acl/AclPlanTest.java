package dev.berth.ops.acl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AclPlanTest {
  private static final Topics TOPICS = new Topics("berth");
  private static final List<AclRule> PLAN = AclPlan.of(TOPICS, "berth-streams", "worker");

  @ParameterizedTest
  @EnumSource(Topic.class)
  @DisplayName("whoever writes or reads a topic by the catalogue may, and nobody else may write it")
  void topics(Topic topic) {
    for (Role role : Role.values()) {
      boolean writes =
          topic.writers().stream().anyMatch(party -> roleOf(party) == role)
              // The query API submits commands.
              || (role == Role.STREAMS && topic == Topic.COMMANDS);
      assertThat(may(role, topic, AclOperation.WRITE)).as(role + " writes").isEqualTo(writes);
      if (topic.readers().stream().anyMatch(party -> roleOf(party) == role)) {
        assertThat(may(role, topic, AclOperation.READ)).as(role + " reads").isTrue();
      }
    }
  }

  @Test
  @DisplayName("operators may be told of dead letters: they read the group of the alerts")
  void alerts() {
    assertThat(PLAN)
        .filteredOn(rule -> rule.resource() == ResourceType.GROUP && rule.role() == Role.OPERATOR)
        .extracting(AclRule::pattern, AclRule::names, AclRule::operations)
        .containsExactly(
            tuple(
                PatternType.LITERAL,
                List.of(TOPICS.prefix() + ".alerts"),
                List.of(AclOperation.READ)));
  }

  @Test
  @DisplayName("a rule is one command line of kafka-acls")
  void command() {
    AclRule rule =
        new AclRule(
            Role.STREAMS,
            ResourceType.TRANSACTIONAL_ID,
            PatternType.PREFIXED,
            List.of("berth-streams-"),
            List.of(AclOperation.WRITE, AclOperation.DESCRIBE_CONFIGS),
            "x");
    assertThat(AclCommands.of(rule, "b:1", "User:the app"))
        .isEqualTo(
            "kafka-acls --bootstrap-server b:1 --add --allow-principal 'User:the app' --operation"
                + " Write --operation DescribeConfigs --resource-pattern-type prefixed"
                + " --transactional-id berth-streams-");
  }

  private static boolean may(Role role, Topic topic, AclOperation operation) {
    return PLAN.stream()
        .filter(rule -> rule.role() == role && rule.resource() == ResourceType.TOPIC)
        .filter(rule -> rule.operations().contains(operation))
        .anyMatch(rule -> rule.names().contains(TOPICS.name(topic)));
  }

  private static Role roleOf(Party party) {
    return switch (party) {
      case VOLUME_CLAIMS, LANES, CLUSTER, API -> Role.STREAMS;
      case WORKER -> Role.WORKER;
      case SCHEDULER -> Role.SCHEDULER;
      case OPERATOR -> Role.OPERATOR;
    };
  }
}
