package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.records.Acceptance;
import dev.berth.records.CsiCall;
import dev.berth.records.Outcome;
import dev.berth.records.Work;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers in processes of their own that are frozen and killed. */
@Execution(ExecutionMode.CONCURRENT)
class WorkerProcessIT {

  private static final int WORK_PARTITIONS = 24;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final AtomicInteger TESTS = new AtomicInteger();

  @TempDir static Path shared;
  private static WorkerStack stack;

  @TempDir Path directory;
  private final Script script = Script.empty();
  private final CallLog log = CallLog.inMemory(InstantSource.system());
  private final Provider provider =
      Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
  private String plugin = "";
  private SimulatedDriver driver;

  @BeforeAll
  static void startStack() {
    // The new protocol's sessions are the broker's: too long for a test by default.
    stack =
        WorkerStack.start(
            shared,
            Map.of(
                "group.consumer.min.session.timeout.ms", "6000",
                "group.consumer.session.timeout.ms", "6000",
                "group.consumer.min.heartbeat.interval.ms", "1000",
                "group.consumer.heartbeat.interval.ms", "2000"));
  }

  @AfterAll
  static void stopStack() {
    stack.close();
  }

  @BeforeEach
  void startDriver() throws IOException {
    plugin = "csi" + TESTS.incrementAndGet();
    driver =
        SimulatedDriver.start(
            DriverSpec.monolith(plugin, "i-1"),
            provider,
            script,
            log,
            directory.resolve("csi.sock"));
  }

  @AfterEach
  void stopDriver() {
    driver.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void aWorkerThatWakesUpAfterItsSessionCallsNobody(String protocol)
      throws IOException, InterruptedException {
    Map<String, String> more = Map.of("kafka.group.protocol", protocol);
    try (WorkerProcess zombie = WorkerProcess.start(directory, settings("w1", more))) {
      await().atMost(PATIENCE).until(() -> stack.hasBegun(plugin, WORK_PARTITIONS));
      dispatch(0, 3);
      awaitOutcomes(3);
      zombie.freeze();
      dispatch(3, 6);
      try (Worker heir = new Worker(WorkerConfig.parse(settings("w2", more)))) {
        heir.start();
        awaitOutcomes(6);
        zombie.thaw();
        dispatch(6, 20);
        awaitOutcomes(20);
      }
      dispatch(20, 23);
      awaitOutcomes(23);

      assertThat(zombie.terminate()).isTrue();
    }

    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .doesNotHaveDuplicates()
        .hasSize(23);
    assertThat(stack.outcomes(plugin)).hasSize(23);
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(23);
  }

  @Test
  void theOpenCallOfAWorkerThatIsKilledIsNotMadeAgain() throws IOException, InterruptedException {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).volume("vol-0").hang());
    try (WorkerProcess victim = WorkerProcess.start(directory, settings("w1", Map.of()))) {
      await().atMost(PATIENCE).until(() -> stack.hasBegun(plugin, WORK_PARTITIONS));
      dispatch(0, 1);
      await().atMost(PATIENCE).until(() -> log.calls(Rpc.CONTROLLER_PUBLISH).size() == 1);
      victim.kill();
      dispatch(1, 4);
      try (Worker heir = new Worker(WorkerConfig.parse(settings("w2", Map.of())))) {
        heir.start();
        awaitOutcomes(3);
      }
    }

    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactlyInAnyOrder("t0", "t1", "t2", "t3");
    assertThat(stack.outcomes(plugin))
        .extracting(Outcome::getAttemptId)
        .containsExactlyInAnyOrder("t1", "t2", "t3");
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(4);
  }

  private void awaitOutcomes(int count) {
    await().atMost(PATIENCE).until(() -> stack.outcomes(plugin).size() >= count);
  }

  private void dispatch(int from, int to) {
    stack.dispatch(IntStream.range(from, to).mapToObj(this::work).toArray(Work[]::new));
  }

  private Work work(int i) {
    return WorkFixtures.work("t" + i)
        .setPlugin(plugin)
        .setLane(plugin + "/" + i)
        .setRoute(plugin)
        .setCalls(
            List.of(
                WorkFixtures.workCall(
                    0,
                    WorkFixtures.call(CsiCall.CONTROLLER_PUBLISH)
                        .setExternalVolume("vol-" + i)
                        .build())))
        .build();
  }

  private Map<String, String> settings(String worker, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(stack.workerSettings(worker));
    for (String role : List.of("controller", "node")) {
      settings.put("plugins." + role + ".endpoint", "unix://" + directory.resolve("csi.sock"));
      settings.put("plugins." + role + ".plugin", plugin);
      settings.put("plugins." + role + ".role", role);
      settings.put("plugins." + role + ".node", "n1");
      settings.put("plugins." + role + ".route", plugin);
    }
    settings.putAll(more);
    return settings;
  }
}
