package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import dev.berth.schemas.topics.TransactionVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The start")
class StartupChecksTest {
  private static final Topics TOPICS = Topics.withDefaultPrefix();
  private static final TransactionVersion ENOUGH = new TransactionVersion((short) 2);

  @Test
  @DisplayName("is not refused on a cluster as the catalogue wants it")
  void fine() {
    assertThat(StartupChecks.problems(TOPICS, plan(), ENOUGH)).isEmpty();
  }

  @Test
  @DisplayName("is refused while topics are missing")
  void missing() {
    TopicPlan plan = new TopicPlan(Map.of(Topic.NODES, 1), List.of());

    assertThat(StartupChecks.problems(TOPICS, plan, ENOUGH))
        .containsExactly(
            "topics are missing: berth.nodes; provision the topics, or set topic.prefix to the one"
                + " they have");
  }

  @Test
  @DisplayName("is refused for differences with which Berth would work wrongly, and only those")
  void differences() {
    Difference blocking =
        new Difference("berth.claims", "cleanup.policy", "compact", "delete", true, "change it");
    Difference harmless =
        new Difference("berth.nodes", "segment.ms", "1", "2", false, "unless that is meant");

    assertThat(StartupChecks.problems(TOPICS, plan(blocking, harmless), ENOUGH))
        .containsExactly("berth.claims: cleanup.policy is delete, expected compact; change it");
  }

  @Test
  @DisplayName("is refused on brokers with old transactions")
  void transactions() {
    String problem =
        "transaction.version is %d, and 2 is needed: with less, a late producer can"
            + " write into a transaction of its successor; run kafka-features upgrade --feature"
            + " transaction.version=2";

    assertThat(StartupChecks.problems(TOPICS, plan(), new TransactionVersion((short) 1)))
        .containsExactly(problem.formatted(1));
    assertThat(StartupChecks.problems(TOPICS, plan(), new TransactionVersion((short) 0)))
        .containsExactly(problem.formatted(0));
  }

  private static TopicPlan plan(Difference... differences) {
    return new TopicPlan(Map.of(), List.of(differences));
  }
}
