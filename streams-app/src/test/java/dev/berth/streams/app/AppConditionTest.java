package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.app.AppState.Phase;
import dev.berth.streams.intake.HeldPartition;
import dev.berth.telemetry.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The application says")
class AppConditionTest {

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Phase.class,
      names = {"STARTING", "REBALANCING", "CLOSING"})
  @DisplayName("that it is alive and not ready, before its stores are restored and when it leaves")
  void aliveAndNotReady(Phase phase) {
    AppCondition condition = condition(new AppState(phase, "for a reason"));

    String text = new AppState(phase, "for a reason").text();
    assertThat(condition.health()).isEqualTo(new Condition(true, List.of(text)));
    assertThat(condition.readiness()).isEqualTo(new Condition(false, List.of(text)));
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(
      value = Phase.class,
      names = {"CLOSED", "FAILED"})
  @DisplayName("that it is not alive when it has ended")
  void ended(Phase phase) {
    AppCondition condition = condition(new AppState(phase, ""));

    assertThat(condition.health().good()).isFalse();
    assertThat(condition.readiness().good()).isFalse();
  }

  @Test
  @DisplayName("that it is ready while all its threads run")
  void ready() {
    assertThat(condition(RUNNING, thread("one", "RUNNING"), thread("two", "RUNNING")).readiness())
        .isEqualTo(new Condition(true, List.of("running")));
  }

  @Test
  @DisplayName("that it is not ready while it runs and no partition is given to it")
  void idle() {
    AppCondition condition = condition(RUNNING, idle("one"), idle("two"));

    assertThat(condition.readiness())
        .isEqualTo(
            new Condition(
                false,
                List.of(
                    "running",
                    "no partition is given to this instance: the others have them all, or its"
                        + " group waits for a member that is gone (berth doctor tells)")));
    assertThat(condition.health()).isEqualTo(new Condition(true, List.of("running")));
    assertThat(condition(RUNNING, idle("one"), thread("two", "RUNNING")).readiness().good())
        .as("one of its threads has something to do")
        .isTrue();
  }

  @Test
  @DisplayName("which thread it is that keeps it from being ready")
  void oneThreadDoesNotRun() {
    AppCondition condition =
        condition(RUNNING, thread("one", "RUNNING"), thread("two", "STARTING"));

    assertThat(condition.readiness())
        .isEqualTo(new Condition(false, List.of("running", "thread two is STARTING")));
    assertThat(condition.health()).isEqualTo(new Condition(true, List.of("running")));
  }

  @Test
  @DisplayName("which partition waits for the registry, and is ready all the same")
  void partitionWaits() {
    HeldPartition held =
        new HeldPartition(new TopicPartition("p", 3), 7, 12, Instant.EPOCH, "away");
    AppCondition condition =
        new AppCondition(() -> RUNNING, Set::of, () -> List.of(held), List::of);

    assertThat(condition.readiness())
        .isEqualTo(new Condition(true, List.of("running", held.text())));
    assertThat(condition.health()).isEqualTo(new Condition(true, List.of("running", held.text())));
  }

  @Test
  @DisplayName("that it is neither alive nor ready when a thread hangs, and which")
  void hung() {
    Map<MetricName, Metric> metrics =
        Map.of(
            age("app-StreamThread-1-consumer"), value(10.0),
            age("app-StreamThread-2-consumer"), value(301.0),
            age("app-StreamThread-2-restore-consumer"), value(999.0),
            age("app-StreamThread-3-consumer"), value(-1.0));
    List<String> lines = new HungThreads(Duration.ofMinutes(5)).among(metrics);
    AppCondition condition = new AppCondition(() -> RUNNING, Set::of, List::of, () -> lines);

    String line =
        "thread app-StreamThread-2 hangs: it has asked for no records for 301 s; its stack tells"
            + " where";
    assertThat(condition.health()).isEqualTo(new Condition(false, List.of("running", line)));
    assertThat(condition.readiness()).isEqualTo(new Condition(false, List.of("running", line)));
    assertThat(HungThreads.polling(metrics)).isEqualTo(2);
    assertThat(new HungThreads(Duration.ofMinutes(6)).among(metrics)).isEmpty();
  }

  private static MetricName age(String client) {
    return new MetricName(
        "last-poll-seconds-ago", "consumer-metrics", "", Map.of("client-id", client));
  }

  private static Metric value(Object value) {
    return new Metric() {
      @Override
      public MetricName metricName() {
        return age("");
      }

      @Override
      public Object metricValue() {
        return value;
      }
    };
  }

  private static final AppState RUNNING = new AppState(Phase.RUNNING, "");

  private static AppCondition condition(AppState state, ThreadMetadata... threads) {
    return new AppCondition(() -> state, () -> List.of(threads), List::of, List::of);
  }

  private static ThreadMetadata thread(String name, String state) {
    return thread(name, state, Set.of(task()));
  }

  private static ThreadMetadata idle(String name) {
    return thread(name, "RUNNING", Set.of());
  }

  private static TaskMetadata task() {
    return new TaskMetadata() {
      @Override
      public TaskId taskId() {
        return new TaskId(0, 1);
      }

      @Override
      public Set<TopicPartition> topicPartitions() {
        return Set.of();
      }

      @Override
      public Map<TopicPartition, Long> committedOffsets() {
        return Map.of();
      }

      @Override
      public Map<TopicPartition, Long> endOffsets() {
        return Map.of();
      }

      @Override
      public Optional<Long> timeCurrentIdlingStarted() {
        return Optional.empty();
      }
    };
  }

  private static ThreadMetadata thread(String name, String state, Set<TaskMetadata> tasks) {
    return new ThreadMetadata() {
      @Override
      public String threadState() {
        return state;
      }

      @Override
      public String threadName() {
        return name;
      }

      @Override
      public Set<TaskMetadata> activeTasks() {
        return tasks;
      }

      @Override
      public Set<TaskMetadata> standbyTasks() {
        return Set.of();
      }

      @Override
      public String consumerClientId() {
        return "";
      }

      @Override
      public String restoreConsumerClientId() {
        return "";
      }

      @Override
      public Set<String> producerClientIds() {
        return Set.of();
      }

      @Override
      public String adminClientId() {
        return "";
      }
    };
  }
}
