package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.berth.driver.DriverSpec;
import dev.berth.driver.SimulatedDriver;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.driver.script.Script;
import dev.berth.records.Acceptance;
import dev.berth.records.Call;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.LaneStatus;
import dev.berth.records.ListedVolume;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.NotSentReason;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.workers.config.WorkerConfig;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
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

/** Workers against a real broker, registry and plugin. Each test has a plugin and a route. */
@Execution(ExecutionMode.CONCURRENT)
class WorkerIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int WORK_PARTITIONS = 24;
  private static final AtomicInteger TESTS = new AtomicInteger();

  @TempDir static Path shared;
  private static WorkerStack stack;

  @TempDir Path directory;
  private final Script script = Script.empty();
  private final CallLog log = CallLog.inMemory(InstantSource.system());
  private final Provider provider =
      Provider.inMemory(ProviderSpec.strict().withAutoCreate(Access.SINGLE_NODE));
  private final List<Worker> workers = new ArrayList<>();
  private String plugin = "";
  private SimulatedDriver driver;

  @BeforeAll
  static void startStack() {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(40));
    stack = WorkerStack.start(shared);
  }

  @AfterAll
  static void stopStack() {
    stack.close();
  }

  @BeforeEach
  void startDriver() throws IOException {
    plugin = "csi" + TESTS.incrementAndGet();
    driver = startDriver(DriverSpec.monolith(plugin, "i-1"));
  }

  @AfterEach
  void stopAll() {
    workers.forEach(Worker::close);
    driver.close();
  }

  @Test
  void anAttachIsAcceptedCalledAndReported() {
    startWorker("w1", Map.of());

    stack.dispatch(work("t1", attach("vol-1")).build());

    Outcome outcome = outcome("t1");
    Acceptance acceptance = stack.acceptances(plugin).get(0);
    assertThat(acceptance)
        .isEqualTo(
            Acceptance.newBuilder()
                .setAttemptId("t1")
                .setAcceptanceId(acceptance.getAcceptanceId())
                .setPlugin(plugin)
                .setWorker("w1")
                .setTimeAllowedMillis(TIMEOUT.toMillis())
                .setAt(acceptance.getAt())
                .build());
    assertThat(outcome)
        .isEqualTo(
            Outcome.newBuilder()
                .setAttemptId("t1")
                .setAcceptanceId(acceptance.getAcceptanceId())
                .setRequestId("r0")
                .setCallIndex(0)
                .setPlugin(plugin)
                .setWorker("w1")
                .setFate(CallFate.ANSWERED)
                .setNotSent(NotSentReason.NONE)
                .setCode(RpcCode.OK)
                .setMessage("")
                .setPublishContext(outcome.getPublishContext())
                .setStartedAt(outcome.getStartedAt())
                .setEndedAt(outcome.getEndedAt())
                .build());
    assertThat(provider.attachments()).hasSize(1);
  }

  @Test
  void instancesArePublishedWhileTheyAreThereAndTakenBackAtTheEnd() {
    Worker worker = startWorker("w1", Map.of());
    await().until(() -> stack.instances(plugin).size() == 2);
    worker.close();

    List<PluginInstance> instances = stack.instances(plugin);
    assertThat(instances)
        .extracting(PluginInstance::getRole, PluginInstance::getHealth)
        .containsExactlyInAnyOrder(
            tuple(PluginRole.CONTROLLER, PluginHealth.HEALTHY),
            tuple(PluginRole.NODE, PluginHealth.HEALTHY),
            tuple(PluginRole.CONTROLLER, PluginHealth.REMOVED),
            tuple(PluginRole.NODE, PluginHealth.REMOVED));
    assertThat(instances)
        .filteredOn(each -> each.getRole() == PluginRole.NODE)
        .allSatisfy(each -> assertThat(each.getExternalNode()).contains("i-1"));
    assertThat(stack.members(plugin)).isZero();
  }

  @Test
  void aRecordOfAnotherRouteIsSkipped() {
    startWorker("w1", Map.of());

    stack.dispatch(
        work("t1", attach("vol-1")).setRoute("elsewhere").build(),
        work("t2", attach("vol-2")).build());

    outcome("t2");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t2");
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(1);
  }

  @Test
  void aLostReplyIsUnanswered() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).loseReply());
    startWorker("w1", Map.of());

    stack.dispatch(work("t1", attach("vol-1")).setTimeoutMillis(2_000).build());

    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED);
    assertThat(provider.attachments()).hasSize(1);
  }

  @Test
  void aPluginThatIsDownIsUnreachedAndUsedAgainWhenItIsBack() throws IOException {
    startWorker("w1", Map.of());
    await().until(() -> stack.instances(plugin).size() == 2);
    driver.close();
    stack.dispatch(work("t1", attach("vol-1")).build());
    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNREACHED, RpcCode.UNAVAILABLE);
    await()
        .until(
            () ->
                stack.instances(plugin).stream()
                    .anyMatch(each -> each.getHealth() == PluginHealth.UNHEALTHY));

    driver = startDriver(DriverSpec.monolith(plugin, "i-1"));
    stack.dispatch(work("t2", attach("vol-1")).build());

    assertThat(outcome("t2").getFate()).isEqualTo(CallFate.ANSWERED);
  }

  @Test
  void aCallThatHangsEndsAtItsDeadlineAndKeepsNobodyWaiting() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).volume("vol-1").hang());
    startWorker("w1", Map.of());

    stack.dispatch(
        work("t1", attach("vol-1")).setTimeoutMillis(4_000).build(),
        work("t2", attach("vol-2")).setLane(plugin + "/2").build());

    assertThat(outcome("t2").getFate()).isEqualTo(CallFate.ANSWERED);
    assertThat(stack.outcomes(plugin)).hasSize(1);
    Outcome hung = outcome("t1");
    assertThat(hung)
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED);
    assertThat(Duration.between(hung.getStartedAt(), hung.getEndedAt()))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(5));
  }

  @Test
  void aSecretReachesThePluginAndLeavesNoTrace() throws IOException {
    Path keys = Files.writeString(directory.resolve("keys"), "token=hush-4711\n");
    script.add(
        Rule.on(Rpc.CONTROLLER_PUBLISH).fail(Status.Code.INTERNAL, "login with hush-4711 failed"));
    startWorker("w1", Map.of());
    Call call =
        Call.newBuilder(attach("vol-1"))
            .setSecrets(Map.of("token", "${file:" + keys + ":token}"))
            .build();

    stack.dispatch(work("t1", call).build());
    assertThat(outcome("t1"))
        .extracting(Outcome::getFate, Outcome::getCode, Outcome::getMessage)
        .containsExactly(CallFate.ANSWERED, RpcCode.INTERNAL, "login with [redacted] failed");

    Files.delete(keys);
    stack.dispatch(work("t2", call).build());

    assertThat(outcome("t2"))
        .extracting(Outcome::getFate, Outcome::getNotSent)
        .containsExactly(CallFate.NOT_SENT, NotSentReason.SECRET_UNAVAILABLE);
  }

  @Test
  void theCallsOfARunAreMadeInOrder() {
    startWorker("w1", Map.of());
    Call[] calls = IntStream.range(0, 5).mapToObj(i -> attach("vol-" + i)).toArray(Call[]::new);

    stack.dispatch(work("t1", calls).build());

    await().until(() -> stack.outcomes(plugin).size() == 5);
    assertThat(stack.outcomes(plugin))
        .extracting(Outcome::getCallIndex, Outcome::getFate)
        .isEqualTo(IntStream.range(0, 5).mapToObj(i -> tuple(i, CallFate.ANSWERED)).toList());
  }

  @Test
  void whatIsOpenWhenTheFirstWorkerOfARouteComesIsAccepted() {
    Work before = work("t1", attach("vol-1")).build();
    Work taken = work("t2", attach("vol-2")).setLane(plugin + "/2").build();
    stack.dispatch(
        LaneStatus.newBuilder()
            .setPlugin(plugin)
            .setPaused(false)
            .setQueued(0)
            .setHeld(0)
            .setInFlight(2)
            .setOpen(
                List.of(
                    OpenAttempt.newBuilder().setWork(before).build(),
                    OpenAttempt.newBuilder().setWork(taken).setAcceptanceId("x9").build()))
            .setAt(Instant.EPOCH)
            .build(),
        before,
        taken);

    startWorker("w1", Map.of());

    outcome("t1");
    stack.dispatch(work("t3", attach("vol-3")).build());
    outcome("t3");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t1", "t3");
  }

  @Test
  void aWorkerThatComesBackGoesOnWhereItsGroupWas() {
    Worker first = startWorker("w1", Map.of());
    stack.dispatch(work("t1", attach("vol-1")).build());
    outcome("t1");
    first.close();
    stack.dispatch(work("t2", attach("vol-2")).build());

    startWorker("w1", Map.of());

    outcome("t2");
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactly("t1", "t2");
  }

  @Test
  void aCloseWaitsForTheOpenCallsAndReportsThem() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofSeconds(3))));
    Worker worker = startWorker("w1", Map.of());
    stack.dispatch(work("t1", attach("vol-1")).build());
    await().until(() -> worker.openAttempts() == 1);

    worker.close();

    assertThat(stack.outcomes(plugin))
        .extracting(Outcome::getFate, Outcome::getCode)
        .containsExactly(tuple(CallFate.ANSWERED, RpcCode.OK));
  }

  @Test
  void noMoreIsOpenThanTheCapAllows() {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofMillis(200))));
    Worker worker = startWorker("w1", Map.of("open.calls.max", "2"));

    stack.dispatch(
        IntStream.range(0, 8)
            .mapToObj(i -> work("t" + i, attach("vol-" + i)).setLane(plugin + "/" + i).build())
            .toArray(Work[]::new));

    await()
        .until(
            () -> {
              assertThat(worker.openAttempts()).isLessThanOrEqualTo(2);
              return stack.outcomes(plugin).size() == 8;
            });
    assertThat(stack.acceptances(plugin)).hasSize(8);
  }

  @Test
  void whatThePluginListsIsPublishedByTheOneWorkerThatAcceptsItsWork() {
    Map<String, String> settings = Map.of("listing.interval.ms", "500");
    startWorker("w1", settings);
    startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    AtomicInteger attempts = new AtomicInteger();

    // Until the plugin's partition has found its place the listings change hands with it.
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(work(attempt, attach("vol-1")).build());
              String acceptor = outcome(attempt).getWorker();
              int before = stack.listings(plugin).size();
              await().until(() -> stack.listings(plugin).size() > before + 3);
              List<PluginListing> listings = stack.listings(plugin);
              assertThat(listings.subList(before + 1, listings.size()))
                  .allSatisfy(
                      each -> {
                        assertThat(each.getSnapshotId()).startsWith(acceptor + "/");
                        assertThat(each.getVolumes())
                            .containsExactly(new ListedVolume("vol-1", List.of("i-1")));
                        assertThat(each.getComplete()).isTrue();
                      });
            });
  }

  @Test
  void instancesAreReportedByTheOneWorkerThatTakesTheirCalls() {
    Map<String, String> settings = Map.of("discovery.interval.ms", "300");
    startWorker("w1", settings);
    Worker second = startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    AtomicInteger attempts = new AtomicInteger();

    // Until the plugin's partition has found its place the reports change hands with it.
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(work(attempt, attach("vol-1")).build());
              String acceptor = outcome(attempt).getWorker();
              int before = controllerReports().size();
              await().until(() -> controllerReports().size() > before + 4);
              List<PluginInstance> reports = controllerReports();
              assertThat(reports.subList(before + 1, reports.size()))
                  .extracting(PluginInstance::getWorker)
                  .containsOnly(acceptor);
            });

    second.close();
    int before = controllerReports().size();
    await().until(() -> controllerReports().size() > before + 2);
    assertThat(controllerReports())
        .extracting(PluginInstance::getHealth)
        .containsOnly(PluginHealth.HEALTHY);
  }

  private List<PluginInstance> controllerReports() {
    return stack.instances(plugin).stream()
        .filter(each -> each.getRole() == PluginRole.CONTROLLER)
        .toList();
  }

  @Test
  void nodeWorkFromBeforeItsNodeCameBackIsNotCarriedOut() {
    String node = "node-of-" + plugin;
    startWorker("w1", Map.of("plugins.node.node", node));
    stack.tell(nodeView(node, 7));
    stack.dispatch(nodeWork("t1", node, 7));
    assertThat(outcome("t1").getFate()).isEqualTo(CallFate.ANSWERED);

    stack.tell(nodeView(node, 8));
    stack.dispatch(nodeWork("t2", node, 7), nodeWork("t3", node, 8));

    assertThat(outcome("t2"))
        .extracting(Outcome::getFate, Outcome::getNotSent, Outcome::getMessage)
        .containsExactly(
            CallFate.NOT_SENT,
            NotSentReason.INCARNATION,
            "meant for incarnation 7 of node " + node + ", which is 8 now");
    assertThat(outcome("t3").getFate()).isEqualTo(CallFate.ANSWERED);
    assertThat(log.calls(Rpc.NODE_UNSTAGE)).hasSize(2);
  }

  @Test
  void theWorkerOfANodePollsItsPartitionOnlyAndIsFencedOffByTheNext() {
    String node = "node-of-" + plugin;
    stack.tell(nodeView(node, 7));
    Worker first = startNodeWorker("w1", node);
    stack.dispatch(ofNode("t1", node));
    assertThat(outcome("t1").getWorker()).isEqualTo("w1");

    startNodeWorker("w2", node);

    AtomicInteger attempts = new AtomicInteger(1);
    await()
        .untilAsserted(
            () -> {
              String attempt = "t" + attempts.incrementAndGet();
              stack.dispatch(ofNode(attempt, node));
              assertThat(outcome(attempt).getWorker()).isEqualTo("w2");
            });
    assertThat(stack.acceptances(plugin))
        .extracting(Acceptance::getAttemptId)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, attempts.get()).mapToObj(i -> "t" + i).toList());
    assertThat(log.calls(Rpc.NODE_UNSTAGE)).hasSize(attempts.get());
    await()
        .untilAsserted(
            () ->
                assertThat(first.waiting())
                    .containsExactly(
                        "another process serves route node-%s: stop one of the two; this one takes"
                                .formatted(node)
                            + " over in 30 s"));
  }

  private Work ofNode(String attempt, String node) {
    return Work.newBuilder(nodeWork(attempt, node, 7)).setRoute("node-" + node).build();
  }

  private Worker startNodeWorker(String id, String node) {
    Map<String, String> settings =
        settings(id, Map.of("plugins.node.node", node, "worker.role", "node", "worker.node", node));
    Worker worker = new Worker(WorkerConfig.parse(settings));
    workers.add(worker);
    worker.start();
    await().until(() -> stack.hasBegun("node-" + node, 1));
    return worker;
  }

  private static NodeView nodeView(String node, long incarnation) {
    return NodeView.newBuilder()
        .setNode(node)
        .setScheduler("nomad")
        .setStatus(NodeStatus.READY)
        .setEligible(true)
        .setIncarnation(incarnation)
        .build();
  }

  private Work nodeWork(String attempt, String node, long incarnation) {
    return work(attempt, WorkFixtures.call(CsiCall.NODE_UNSTAGE).build())
        .setLane(plugin + "/" + attempt)
        .setInstanceNode(node)
        .setNodeIncarnation(incarnation)
        .build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "consumer"})
  void nothingIsLostOrCalledTwiceWhenWorkersComeAndGo(String protocol) {
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(Duration.ofMillis(300))));
    Map<String, String> settings = Map.of("kafka.group.protocol", protocol);
    Worker first = startWorker("w1", settings);
    await().until(() -> stack.members(plugin) == 1);
    int sent = 0;
    for (; sent < 10; sent++) {
      stack.dispatch(laneOf(sent));
    }
    startWorker("w2", settings);
    await().until(() -> stack.members(plugin) == 2);
    for (; sent < 20; sent++) {
      stack.dispatch(laneOf(sent));
    }
    first.close();
    for (; sent < 30; sent++) {
      stack.dispatch(laneOf(sent));
    }

    int all = sent;
    await().until(() -> stack.outcomes(plugin).size() >= all);

    assertThat(stack.outcomes(plugin)).hasSize(all);
    assertThat(stack.outcomes(plugin)).allMatch(each -> each.getFate() == CallFate.ANSWERED);
    assertThat(log.calls(Rpc.CONTROLLER_PUBLISH)).hasSize(all);
    assertThat(stack.acceptances(plugin)).hasSize(all);
  }

  private Work laneOf(int i) {
    return work("t" + i, attach("vol-" + i)).setLane(plugin + "/" + i).build();
  }

  private Outcome outcome(String attempt) {
    await()
        .until(
            () -> stack.outcomes(plugin).stream().anyMatch(o -> o.getAttemptId().equals(attempt)));
    return stack.outcomes(plugin).stream()
        .filter(each -> each.getAttemptId().equals(attempt))
        .findFirst()
        .orElseThrow();
  }

  private Work.Builder work(String attempt, Call... calls) {
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

  private static Call attach(String volume) {
    return WorkFixtures.call(CsiCall.CONTROLLER_PUBLISH).setExternalVolume(volume).build();
  }

  private Worker startWorker(String id, Map<String, String> more) {
    Worker worker = new Worker(WorkerConfig.parse(settings(id, more)));
    workers.add(worker);
    worker.start();
    // What is dispatched before that is found by the lane status only, which not all tests write.
    await().until(() -> stack.hasBegun(plugin, WORK_PARTITIONS));
    return worker;
  }

  private Map<String, String> settings(String id, Map<String, String> more) {
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

  private SimulatedDriver startDriver(DriverSpec spec) throws IOException {
    return SimulatedDriver.start(spec, provider, script, log, directory.resolve("csi.sock"));
  }
}
