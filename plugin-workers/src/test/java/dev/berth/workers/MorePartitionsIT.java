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
import dev.berth.driver.script.Script;
import dev.berth.records.Acceptance;
import dev.berth.records.CsiCall;
import dev.berth.records.LaneStatus;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Work;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The work topics get more partitions: nothing that was dispatched before, meanwhile or after is
 * lost or accepted twice.
 */
class MorePartitionsIT {

  private static final String PLUGIN = "ebs";
  private static final String NODE = "n1";
  private static final int BEFORE = 12;
  private static final int AFTER = 37;

  /** Partitions that a route reads: those of both work topics. */
  private static final int READ_BEFORE = 2 * BEFORE;

  private static final int READ_AFTER = BEFORE + AFTER;

  @TempDir Path directory;
  private final CallLog log = CallLog.inMemory(InstantSource.system());
  private WorkerStack stack;
  private SimulatedDriver driver;

  @BeforeEach
  void start() throws IOException {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
    stack = WorkerStack.start(directory);
    Provider provider = Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
    driver =
        SimulatedDriver.start(
            DriverSpec.monolith(PLUGIN, "i-1"),
            provider,
            Script.empty(),
            log,
            directory.resolve("csi.sock"));
    assertThat(Keys.partition(PLUGIN, AFTER)).isNotEqualTo(Keys.partition(PLUGIN, BEFORE));
    assertThat(Keys.partition(NODE, AFTER)).isNotEqualTo(Keys.partition(NODE, BEFORE));
  }

  @AfterEach
  void stop() {
    driver.close();
    stack.close();
  }

  @Test
  void workersThatRunTakeWhatComesBeforeAndAfter() {
    try (Worker first = startWorker("w1", PLUGIN, Map.of(), READ_BEFORE);
        Worker second = startWorker("w2", PLUGIN, Map.of(), READ_BEFORE)) {
      dispatch(0, 10);
      stack.morePartitions(Topic.PLUGIN_WORK, AFTER);
      dispatch(10, 20);
      // Streams may write with what it knew for a while.
      stack.dispatchInto(Keys.partition(PLUGIN, BEFORE), attach("t20"));

      await().until(() -> stack.outcomes(PLUGIN).size() >= 21);
      await().until(() -> stack.hasBegun(PLUGIN, READ_AFTER));
      assertThat(first.openAttempts() + second.openAttempts()).isZero();
    }
    assertAcceptedOnce(21);
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(21);
  }

  @Test
  void whatWaitedInTheOldPlaceWhileNoWorkerWasThereIsAcceptedOnce() {
    startWorker("w1", PLUGIN, Map.of(), READ_BEFORE).close();
    Work waiting = attach("t0");
    stack.dispatch(status(waiting), waiting);
    stack.morePartitions(Topic.PLUGIN_WORK, AFTER);
    Work moved = attach("t1");
    stack.dispatch(status(waiting, moved), moved);

    try (Worker worker = startWorker("w1", PLUGIN, Map.of(), READ_AFTER)) {
      await().until(() -> stack.outcomes(PLUGIN).size() >= 2);
      dispatch(2, 3);
      await().until(() -> stack.outcomes(PLUGIN).size() >= 3);
      assertThat(worker.openAttempts()).isZero();
    }
    assertAcceptedOnce(3);
  }

  @Test
  void aNodesWorkerGoesOnWithWhatLiesInTheOldPlace() {
    stack.tell(
        NodeView.newBuilder()
            .setNode(NODE)
            .setScheduler("nomad")
            .setStatus(NodeStatus.READY)
            .setEligible(true)
            .setIncarnation(7)
            .build());
    Map<String, String> role = Map.of("worker.role", "node", "worker.node", NODE);
    startWorker("w1", "node-" + NODE, role, 1).close();
    Work waiting = unstage("t0");
    stack.dispatch(status(waiting), waiting);
    stack.morePartitions(Topic.NODE_WORK, AFTER);
    Work moved = unstage("t1");
    stack.dispatch(status(waiting, moved), moved);

    try (Worker worker = startWorker("w1", "node-" + NODE, role, 2)) {
      await().until(() -> stack.outcomes(PLUGIN).size() >= 2);
      stack.dispatchInto(Keys.partition(NODE, BEFORE), unstage("t2"));
      stack.dispatch(unstage("t3"));
      await().until(() -> stack.outcomes(PLUGIN).size() >= 4);
      assertThat(worker.openAttempts()).isZero();
    }
    assertAcceptedOnce(4);
  }

  private void assertAcceptedOnce(int attempts) {
    assertThat(stack.acceptances(PLUGIN))
        .extracting(Acceptance::getAttemptId)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, attempts).mapToObj(i -> "t" + i).toList());
  }

  private void dispatch(int from, int to) {
    IntStream.range(from, to).forEach(i -> stack.dispatch(attach("t" + i)));
  }

  private Worker startWorker(String id, String route, Map<String, String> more, int partitions) {
    Map<String, String> settings = new HashMap<>(stack.workerSettings(id));
    for (String role : List.of("controller", "node")) {
      settings.put("plugins." + role + ".endpoint", "unix://" + directory.resolve("csi.sock"));
      settings.put("plugins." + role + ".plugin", PLUGIN);
      settings.put("plugins." + role + ".role", role);
      settings.put("plugins." + role + ".node", NODE);
      settings.put("plugins." + role + ".route", PLUGIN);
    }
    settings.put("mount.root", directory.resolve("mounts").toString());
    settings.put("kafka.metadata.max.age.ms", "1000");
    settings.putAll(more);
    Worker worker = new Worker(WorkerConfig.parse(settings));
    worker.start();
    await().until(() -> stack.hasBegun(route, partitions));
    return worker;
  }

  /** A lane of its own each, so that they may be open together. */
  private static Work attach(String attempt) {
    return work(attempt, CsiCall.CONTROLLER_PUBLISH).setRoute(PLUGIN).build();
  }

  private static Work unstage(String attempt) {
    return work(attempt, CsiCall.NODE_UNSTAGE)
        .setRoute("node-" + NODE)
        .setInstanceNode(NODE)
        .setNodeIncarnation(7)
        .build();
  }

  private static Work.Builder work(String attempt, CsiCall rpc) {
    return WorkFixtures.work(attempt)
        .setPlugin(PLUGIN)
        .setLane(PLUGIN + "/" + attempt)
        .setTimeoutMillis(30_000)
        .setDispatchedAt(Instant.now())
        .setCalls(
            List.of(
                WorkFixtures.workCall(
                    0, WorkFixtures.call(rpc).setExternalVolume("vol-" + attempt).build())));
  }

  private static LaneStatus status(Work... open) {
    return LaneStatus.newBuilder()
        .setPlugin(PLUGIN)
        .setPaused(false)
        .setQueued(0)
        .setHeld(0)
        .setInFlight(open.length)
        .setOpen(
            Arrays.stream(open)
                .map(work -> OpenAttempt.newBuilder().setWork(work).build())
                .toList())
        .setAt(Instant.now())
        .build();
  }
}
