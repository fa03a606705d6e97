package dev.berth.workers;

import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Script;
import dev.berth.records.Call;
import dev.berth.records.CsiCall;
import dev.berth.records.Outcome;
import dev.berth.records.Work;
import dev.berth.workers.config.WorkerConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plugin and a route of its own for each test, and workers for them on a stack that is shared.
 */
@ExtendWith(SharedWorkerStack.class)
abstract class WorkerFixture {

  static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int WORK_PARTITIONS = 24;
  private static final AtomicInteger TESTS = new AtomicInteger();

  @TempDir Path directory;
  final WorkerStack stack;
  final String plugin = "csi" + TESTS.incrementAndGet();
  final Script script = Script.empty();
  final CallLog log = CallLog.inMemory(InstantSource.system());
  final Provider provider =
      Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
  SimulatedDriver driver;
  private final List<Worker> workers = new ArrayList<>();

  WorkerFixture(WorkerStack stack) {
    this.stack = stack;
  }

  @BeforeEach
  void startDriver() throws IOException {
    driver = startDriver(DriverSpec.monolith(plugin, "i-1"));
  }

  @AfterEach
  void stopAll() {
    workers.forEach(Worker::close);
    driver.close();
  }

  Worker startWorker(String id, Map<String, String> more) {
    Worker worker = start(settings(id, more));
    // What is dispatched before that is found by the lane status only, which not all tests write.
    await().until(() -> stack.hasBegun(plugin, WORK_PARTITIONS));
    return worker;
  }

  /** Starts a worker; it may not have begun yet. */
  Worker start(Map<String, String> settings) {
    Worker worker = new Worker(WorkerConfig.parse(settings));
    workers.add(worker);
    worker.start();
    return worker;
  }

  Map<String, String> settings(String id, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(stack.workerSettings(id));
    for (String role : List.of("controller", "node")) {
      settings.put("plugins." + role + ".endpoint", "unix://" + directory.resolve("csi.sock"));
      settings.put("plugins." + role + ".plugin", plugin);
      settings.put("plugins." + role + ".role", role);
      settings.put("plugins." + role + ".node", "n1");
      settings.put("plugins." + role + ".route", plugin);
    }
    settings.put("mount.root", directory.resolve("mounts").toString());
    settings.putAll(more);
    return settings;
  }

  Work.Builder work(String attempt, Call... calls) {
    return WorkFixtures.work(attempt)
        .setPlugin(plugin)
        .setLane(plugin)
        .setRoute(plugin)
        .setTimeoutMillis(TIMEOUT.toMillis())
        .setCalls(
            IntStream.range(0, calls.length)
                .mapToObj(i -> WorkFixtures.workCall(i, calls[i]))
                .toList());
  }

  static Call attach(String volume) {
    return WorkFixtures.call(CsiCall.CONTROLLER_PUBLISH).setExternalVolume(volume).build();
  }

  Outcome outcome(String attempt) {
    await()
        .until(
            () -> stack.outcomes(plugin).stream().anyMatch(o -> o.getAttemptId().equals(attempt)));
    return stack.outcomes(plugin).stream()
        .filter(each -> each.getAttemptId().equals(attempt))
        .findFirst()
        .orElseThrow();
  }

  SimulatedDriver startDriver(DriverSpec spec) throws IOException {
    return SimulatedDriver.start(spec, provider, script, log, directory.resolve("csi.sock"));
  }
}
