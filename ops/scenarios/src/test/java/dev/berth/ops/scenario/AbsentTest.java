package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.berth.schemas.topics.Topic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A text that is said to be nowhere is found wherever it is. */
class AbsentTest {
  private final World world = new VirtualWorld(false);
  private final Failures failures = new Failures(world.trace());

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aTextThatIsNowhereIsAbsent() {
    assertThat(found("hush-4711")).isEmpty();
  }

  @Test
  void aValueOfARecordIsFound() {
    world.writeBytes(Topic.NODES, "n1", "hush-4711".getBytes(StandardCharsets.UTF_8));

    assertThat(found("hush-4711")).contains("it is in nodes n1");
  }

  @Test
  void aKeyOfARecordIsFound() {
    world.writeBytes(Topic.NODES, "hush-4711", null);

    assertThat(found("hush-4711")).contains("it is in nodes hush-4711");
  }

  @Test
  void aLineThatTheProductLogsIsFoundWhateverTheLevel() {
    LoggerFactory.getLogger("dev.berth.test").trace("login with {}", "hush-4711");

    assertThat(found("hush-4711"))
        .containsExactly("it is in the log: dev.berth.test login with hush-4711");
  }

  @Test
  void aLineOfALibraryIsFound() {
    LoggerFactory.getLogger("io.grpc.test")
        .warn("refused", new IllegalStateException("token hush-4711"));

    assertThat(found("hush-4711"))
        .containsExactly(
            "it is in the log: io.grpc.test refused java.lang.IllegalStateException: token"
                + " hush-4711 ");
  }

  @Test
  void whatAnotherScenarioLogsIsNotOurs() throws InterruptedException {
    Thread other = new Thread(() -> LoggerFactory.getLogger("dev.berth.test").info("hush-4711"));
    other.start();
    other.join();

    assertThat(found("hush-4711")).isEmpty();
  }

  @Test
  void whatAnyThreadLogsIsFoundWhereTheProcessRunsOneScenario() throws InterruptedException {
    try (LogLines process = LogLines.ofProcess()) {
      Thread other = new Thread(() -> LoggerFactory.getLogger("dev.berth.test").info("hush-4711"));
      other.start();
      other.join();

      assertThat(process.all()).contains("dev.berth.test hush-4711");
    }
  }

  @Test
  void aLineIsFoundAlsoAfterLoggingWasSetUpAnew() {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).resetTurboFilterList();
    try (LogLines process = LogLines.ofProcess()) {
      LoggerFactory.getLogger("dev.berth.test").info("hush-4711");

      assertThat(process.all()).contains("dev.berth.test hush-4711");
    }
  }

  @Test
  void aTagOfAMetricIsFound() {
    assertThat(found("thread-id")).anyMatch(where -> where.startsWith("it is in the metrics: "));
  }

  private List<String> found(String text) {
    new WrittenExpectations(world, failures, Map.of())
        .absent(YamlReader.read("t.yaml", "absent: " + text).get("absent"));
    return failures.all().stream().map(Failure::actual).toList();
  }
}
