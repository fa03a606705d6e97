package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.Acceptance;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Call;
import dev.berth.records.CallAccepted;
import dev.berth.records.CallDone;
import dev.berth.records.CallFate;
import dev.berth.records.CallHeld;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.CsiCall;
import dev.berth.records.EnqueueCall;
import dev.berth.records.HoldCode;
import dev.berth.records.InstanceView;
import dev.berth.records.LaneRequest;
import dev.berth.records.LaneStatus;
import dev.berth.records.NodeSlots;
import dev.berth.records.NodeStatus;
import dev.berth.records.NodeView;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Outcome;
import dev.berth.records.PassedCommand;
import dev.berth.records.PausePlugin;
import dev.berth.records.PluginRole;
import dev.berth.records.PluginView;
import dev.berth.records.PoliciesChanged;
import dev.berth.records.RpcCode;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.records.Work;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The Lanes sub-topology")
class LanesSubtopologyTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final TopologyBench bench = new TopologyBench(LanesSubtopology::addTo);

  @BeforeEach
  void cluster() {
    signal(new NodeView("n1", "nomad", NodeStatus.READY, true, 7L, null, null));
    signal(new PluginView("ebs", true, null));
    signal(instance(PluginRole.CONTROLLER));
    signal(instance(PluginRole.NODE));
    signal(
        new PoliciesChanged(
            1L, Map.of("default", Map.of("backoff.jitter", "0", "settle-margin", "0s"))));
    bench.read(Topic.NODE_SLOTS, NodeSlots.class);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("sends an attach to the plugin's workers and settles it by its outcome")
  void attaches() {
    request("default/v1#1", CsiCall.CONTROLLER_PUBLISH, true);

    Work work = only(Topic.PLUGIN_WORK, Work.class, "ebs");
    assertThat(work.getCalls().get(0).getCall().getExternalNode()).contains("i-1");
    assertThat(only(Topic.NODE_SLOTS, NodeSlots.class, "ebs/n1"))
        .isEqualTo(new NodeSlots("ebs", "n1", 25L, 1L, START));
    accept(work, "a1");
    outcome(work, "a1", RpcCode.OK);

    assertThat(settlements())
        .extracting(Settlement::getBody)
        .containsExactly(
            new CallAccepted(), new CallDone(RpcCode.OK, Map.of("k", "v"), false, true));
    assertThat(bench.read(Topic.LANE_STATUS, LaneStatus.class))
        .filteredOn(record -> record.key().equals("ebs"))
        .extracting(TestRecord::value)
        .last()
        .extracting(LaneStatus::getInFlight)
        .isEqualTo(0L);
  }

  @Test
  @DisplayName("counts the outcomes that it drops, by plugin and reason")
  void countsDropped() {
    request("default/v1#1", CsiCall.CONTROLLER_PUBLISH, true);
    Work work = only(Topic.PLUGIN_WORK, Work.class, "ebs");
    accept(work, "a1");
    outcome(work, "a2", RpcCode.OK);
    outcome(work, "a1", RpcCode.OK);
    outcome(work, "a1", RpcCode.OK);
    outcome(work, "a1", RpcCode.OK);
    accept(work, "a3");

    assertThat(dropped("outcomes", "other-acceptance")).isEqualTo(1);
    assertThat(dropped("outcomes", "no-open-attempt")).isEqualTo(2);
    assertThat(dropped("acceptances", "no-open-attempt")).isEqualTo(1);
  }

  @Test
  @DisplayName("shows 0 of each reason once it knows a plugin, so that a rate sees the first one")
  void countsFromZero() {
    request("default/v1#1", CsiCall.CONTROLLER_PUBLISH, true);

    assertThat(
            bench.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().matches("late-.*-dropped-total"))
                .filter(metric -> Double.valueOf(0).equals(metric.getValue().metricValue()))
                .map(metric -> metric.getKey())
                .map(name -> name.name() + " " + name.tags().get("berth-id")))
        .contains(
            "late-outcomes-dropped-total ebs/no-open-attempt",
            "late-outcomes-dropped-total ebs/other-acceptance",
            "late-outcomes-dropped-total ebs/repeated",
            "late-outcomes-dropped-total ebs/other-call",
            "late-acceptances-dropped-total ebs/no-open-attempt",
            "late-outcomes-dropped-total unknown/no-open-attempt");
  }

  @Test
  @DisplayName("shows each attempt under its id while it waits for a worker, with all its work")
  void showsWaiting() {
    request("default/v1#1", CsiCall.NODE_STAGE, false);
    request("default/v2#1", CsiCall.NODE_STAGE, false);
    List<Work> works =
        bench.read(Topic.NODE_WORK, Work.class).stream().map(TestRecord::value).toList();

    assertThat(waiting())
        .extracting(TestRecord::key, record -> record.value().getOpen())
        .containsExactlyElementsOf(
            works.stream()
                .map(
                    work ->
                        tuple(
                            work.getAttemptId(), List.of(new OpenAttempt(work, null, null, null))))
                .toList());
    accept(works.get(0), "a1");
    outcome(works.get(1), "a2", RpcCode.OK);

    assertThat(waiting())
        .extracting(TestRecord::key, TestRecord::value)
        .containsExactly(
            tuple(works.get(0).getAttemptId(), null), tuple(works.get(1).getAttemptId(), null));
  }

  @Test
  @DisplayName("writes no more of its status for a decision when a thousand attempts wait")
  void statusDoesNotGrow() {
    long few = 0;
    for (int i = 1; i <= 1_000; i++) {
      request("default/v" + i + "#1", CsiCall.NODE_STAGE, false);
      List<TestRecord<String, byte[]>> written = bench.readBytes(Topic.LANE_STATUS);
      long bytes = written.stream().mapToLong(record -> record.value().length).sum();
      few = i == 20 ? bytes : few;
      if (i == 1_000) {
        assertThat(bytes).isLessThan(few + 100);
      }
    }
    assertThat(few).isBetween(1_000L, 10_000L);
  }

  @Test
  @DisplayName("sends a node call to the node's workers, with the node's incarnation")
  void nodeCalls() {
    request("default/v1#1", CsiCall.NODE_STAGE, false);

    Work work = only(Topic.NODE_WORK, Work.class, "n1");
    assertThat(work.getNodeIncarnation()).isEqualTo(7);
    assertThat(bench.readBytes(Topic.PLUGIN_WORK)).isEmpty();
  }

  @Test
  @DisplayName("tries a failed call again when time has passed")
  void retries() {
    request("default/v1#1", CsiCall.CONTROLLER_UNPUBLISH, false);
    Work first = only(Topic.PLUGIN_WORK, Work.class, "ebs");
    accept(first, "a1");
    outcome(first, "a1", RpcCode.UNAVAILABLE);

    assertThat(settlements())
        .extracting(Settlement::getBody)
        .singleElement()
        .isInstanceOfSatisfying(
            CallHeld.class,
            held -> assertThat(held.getHold().getNextRetry()).contains(START.plusSeconds(1)));
    bench.pass(Duration.ofSeconds(1));

    assertThat(only(Topic.PLUGIN_WORK, Work.class, "ebs").getAttemptId())
        .isNotEqualTo(first.getAttemptId());
  }

  @Test
  @DisplayName("counts a call without an outcome as timed out once its time has passed")
  void timeouts() {
    request("default/v1#1", CsiCall.CONTROLLER_UNPUBLISH, false);
    accept(only(Topic.PLUGIN_WORK, Work.class, "ebs"), "a1");
    bench.pass(Duration.ofSeconds(119));
    assertThat(settlements()).isEmpty();
    bench.pass(Duration.ofSeconds(1));

    assertThat(settlements())
        .extracting(Settlement::getBody)
        .singleElement()
        .isInstanceOfSatisfying(
            CallHeld.class,
            held -> assertThat(held.getHold().getCode()).isEqualTo(HoldCode.TIMEOUT));
  }

  @Test
  @DisplayName("goes on when the cluster has what a held call needs")
  void wakes() {
    signal(new NodeView("n1", "nomad", NodeStatus.DISCONNECTED, true, 7L, START, null));
    request("default/v1#1", CsiCall.CONTROLLER_UNPUBLISH, false);
    assertThat(bench.readBytes(Topic.PLUGIN_WORK)).isEmpty();
    signal(new NodeView("n1", "nomad", NodeStatus.READY, true, 7L, null, null));

    assertThat(only(Topic.PLUGIN_WORK, Work.class, "ebs").getInstanceNode()).isEqualTo("n1");
  }

  @Test
  @DisplayName("answers a pause")
  void pauses() {
    bench.put(
        Topic.LANE_SIGNALS,
        "ebs",
        new Signal(
            START,
            new PassedCommand(new Command("c1", "op", "window", START, new PausePlugin("ebs")))));
    request("default/v1#1", CsiCall.CONTROLLER_UNPUBLISH, false);

    CommandResult result = only(Topic.COMMAND_RESULTS, CommandResult.class, "c1");
    assertThat(result)
        .extracting(CommandResult::getOutcome, CommandResult::getSubject)
        .containsExactly(CommandOutcome.OK, "ebs");
    assertThat(bench.readBytes(Topic.PLUGIN_WORK)).isEmpty();
  }

  @Test
  @DisplayName("puts records aside that are not for these lanes, and goes on")
  void rejects() {
    bench.put(Topic.LANE_REQUESTS, "gce", laneRequest("default/v1#1", CsiCall.NODE_STAGE, false));
    bench.putBytes(Topic.WORK_OUTCOMES, "ebs", new byte[] {1, 2});
    bench.putBytes(Topic.WORK_ACCEPTANCES, "ebs", null);
    request("default/v1#2", CsiCall.NODE_STAGE, false);

    assertThat(bench.readBytes(Topic.REJECTED_RECORDS))
        .extracting(
            record -> TopologyBench.headers(record).get("berth.source.topic"),
            record -> record.key())
        .containsExactly(
            tuple("berth.lane-requests", "gce"),
            tuple("berth.work-outcomes", "ebs"),
            tuple("berth.work-acceptances", "ebs"));
    assertThat(only(Topic.NODE_WORK, Work.class, "n1").getCalls().get(0).getRequestId())
        .isEqualTo("default/v1#2");
  }

  private void signal(SpecificRecord body) {
    bench.put(Topic.LANE_SIGNALS, null, new Signal(START, body));
  }

  private static InstanceView instance(PluginRole role) {
    return InstanceView.newBuilder()
        .setPlugin("ebs")
        .setNode("n1")
        .setRole(role)
        .setHealthy(true)
        .setAttach(role == PluginRole.CONTROLLER)
        .setExternalNode(role == PluginRole.NODE ? "i-1" : null)
        .setMaxVolumes(role == PluginRole.NODE ? 25L : null)
        .build();
  }

  private void request(String id, CsiCall rpc, boolean takesSlot) {
    bench.put(Topic.LANE_REQUESTS, "ebs", laneRequest(id, rpc, takesSlot));
  }

  private static LaneRequest laneRequest(String id, CsiCall rpc, boolean takesSlot) {
    Call call =
        Call.newBuilder()
            .setRpc(rpc)
            .setNamespace("default")
            .setVolume(id.substring("default/".length(), id.indexOf('#')))
            .setNode("n1")
            .setExternalNode(rpc == CsiCall.CONTROLLER_UNPUBLISH ? "i-1" : null)
            .setExternalVolume("vol-" + id)
            .setAccess(AccessMode.SINGLE_NODE_WRITER)
            .setAttachment(AttachmentMode.FILE_SYSTEM)
            .build();
    return new LaneRequest(
        id,
        "ebs",
        id.substring(0, id.indexOf('#')),
        START,
        new EnqueueCall(call, takesSlot, false, null, null));
  }

  private void accept(Work work, String acceptance) {
    bench.put(
        Topic.WORK_ACCEPTANCES,
        "ebs",
        new Acceptance(work.getAttemptId(), acceptance, "ebs", "w1", 1000L, START));
  }

  private void outcome(Work work, String acceptance, RpcCode code) {
    bench.put(
        Topic.WORK_OUTCOMES,
        "ebs",
        Outcome.newBuilder()
            .setAttemptId(work.getAttemptId())
            .setAcceptanceId(acceptance)
            .setRequestId(work.getCalls().get(0).getRequestId())
            .setPlugin("ebs")
            .setWorker("w1")
            .setFate(CallFate.ANSWERED)
            .setCode(code)
            .setPublishContext(code == RpcCode.OK ? Map.of("k", "v") : Map.of())
            .setStartedAt(START)
            .setEndedAt(START)
            .build());
  }

  private double dropped(String what, String reason) {
    return bench.metric("late-" + what + "-dropped-total", "plugin", "ebs", "reason", reason);
  }

  /** Records of single attempts since the last look. */
  private List<TestRecord<String, LaneStatus>> waiting() {
    return bench.read(Topic.LANE_STATUS, LaneStatus.class).stream()
        .filter(record -> !record.key().equals("ebs"))
        .toList();
  }

  private List<Settlement> settlements() {
    return bench.read(Topic.SETTLEMENTS, Settlement.class).stream().map(TestRecord::value).toList();
  }

  /** The one record since the last look, which must have that key. */
  private <A extends SpecificRecord> A only(Topic topic, Class<A> type, String key) {
    List<TestRecord<String, A>> records = bench.read(topic, type);
    assertThat(records).extracting(TestRecord::key).containsExactly(key);
    return records.get(0).value();
  }
}
