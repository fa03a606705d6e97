package dev.berth.streams.topology;

import static dev.berth.streams.topology.GoodRecords.AT;
import static dev.berth.streams.topology.GoodRecords.ask;
import static dev.berth.streams.topology.GoodRecords.command;
import static dev.berth.streams.topology.GoodRecords.event;
import static dev.berth.streams.topology.GoodRecords.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.CallFate;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RpcCode;
import dev.berth.records.Unmounted;
import dev.berth.records.Work;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Whose {@code traceparent} the records along the way of an event have. */
@DisplayName("The trace of an event")
class TracesTest {
  private static final Traces ONE = trace("1");
  private static final Traces TWO = trace("2");
  private static final Traces THREE = trace("3");

  private final TopologyBench bench = new TopologyBench(TracesTest::all);

  @BeforeEach
  void volumesOfOneController() {
    bench.put(Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.READY, true, AT));
    bench.put(Topic.PLUGINS, "ebs/controller@n1", instance(PluginRole.CONTROLLER));
    bench.put(Topic.PLUGINS, "ebs/node@n1", instance(PluginRole.NODE));
    for (String volume : List.of("v1", "v2")) {
      bench.put(
          Topic.COMMANDS,
          "default/" + volume,
          command(
              "c-" + volume,
              "ops",
              new RegisterVolume(
                  spec().setVolume(volume).setExternalId(volume).setPlugin("ebs").build())));
    }
    bench.pass(Duration.ofSeconds(10));
    bench.read(Topic.CLAIM_HISTORY, ClaimDecision.class);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("goes with it to the work, the history and the reply")
  void allTheWay() {
    claim("v1", ONE);

    TestRecord<String, Work> work = one(Topic.PLUGIN_WORK, Work.class);
    assertThat(traces(work)).isEqualTo(ONE);
    assertThat(bench.read(Topic.CLAIM_HISTORY, ClaimDecision.class))
        .isNotEmpty()
        .allSatisfy(decision -> assertThat(traces(decision)).isEqualTo(ONE));

    answered(work, 0);

    assertThat(traces(one(Topic.CLAIM_REPLIES, ClaimReply.class))).isEqualTo(ONE);
  }

  @Test
  @DisplayName("is that of the call that goes out, not of the one whose end lets it go")
  void queued() {
    claim("v1", ONE);
    TestRecord<String, Work> first = one(Topic.PLUGIN_WORK, Work.class);
    claim("v2", TWO);

    answered(first, 0);

    assertThat(traces(one(Topic.CLAIM_REPLIES, ClaimReply.class))).isEqualTo(ONE);
    assertThat(traces(one(Topic.PLUGIN_WORK, Work.class))).isEqualTo(TWO);
  }

  @Test
  @DisplayName("of what happens later is that of what made it happen")
  void later() {
    claim("v1", ONE);
    answered(one(Topic.PLUGIN_WORK, Work.class), 0);

    end("v1", "a1", 2, TWO);
    put("v1", event("v1", "a1", 3, new Unmounted(null)).build(), THREE);

    assertThat(traces(one(Topic.PLUGIN_WORK, Work.class))).isEqualTo(THREE);
  }

  @Test
  @DisplayName("is none where the event had none, or something else in its place")
  void none() {
    bench.putBytes(
        Topic.ALLOC_EVENTS,
        "default/v1",
        bench.serialize(Topic.ALLOC_EVENTS, event("v1", "a1", 1, ask().build()).build()),
        new org.apache.kafka.common.header.internals.RecordHeaders()
            .add(Trace.PARENT, new byte[] {'x'}));

    assertThat(traces(one(Topic.PLUGIN_WORK, Work.class))).isEqualTo(Traces.NONE);
  }

  private static void all(Topology topology, TopologyContext context) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(
        topology, context, new Policies(0, Map.of("default", Map.of("node-step", "client"))));
  }

  private static Traces trace(String digit) {
    return Traces.of(
        new Trace("00-" + digit.repeat(32) + "-" + digit.repeat(16) + "-01", "v=" + digit));
  }

  private static Traces traces(TestRecord<?, ?> record) {
    return StepTimes.of(record.headers()).traces();
  }

  private void claim(String volume, Traces trace) {
    put(volume, event(volume, "a1", 1, ask().build()).build(), trace);
  }

  private void end(String volume, String alloc, long index, Traces trace) {
    put(
        volume,
        event(
                volume,
                alloc,
                index,
                new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .build(),
        trace);
  }

  private void put(String volume, SpecificRecord event, Traces trace) {
    bench.putBytes(
        Topic.ALLOC_EVENTS,
        "default/" + volume,
        bench.serialize(Topic.ALLOC_EVENTS, event),
        StepTimes.NONE.within(trace).headers());
  }

  /** As a worker would. */
  private void answered(TestRecord<String, Work> record, int call) {
    Work work = record.value();
    bench.put(
        Topic.WORK_ACCEPTANCES,
        "ebs",
        new Acceptance(work.getAttemptId(), "x1", "ebs", "w1", 1000L, AT));
    Outcome outcome =
        Outcome.newBuilder()
            .setAttemptId(work.getAttemptId())
            .setAcceptanceId("x1")
            .setRequestId(work.getCalls().get(call).getRequestId())
            .setCallIndex(call)
            .setPlugin("ebs")
            .setWorker("w1")
            .setFate(CallFate.ANSWERED)
            .setCode(RpcCode.OK)
            .setStartedAt(AT)
            .setEndedAt(AT)
            .build();
    bench.putBytes(
        Topic.WORK_OUTCOMES,
        "ebs",
        bench.serialize(Topic.WORK_OUTCOMES, outcome),
        StepTimes.of(record.headers()).ofCall(call).headers());
  }

  private <A extends SpecificRecord> TestRecord<String, A> one(Topic topic, Class<A> type) {
    List<TestRecord<String, A>> records = bench.read(topic, type);
    assertThat(records).hasSize(1);
    return records.get(0);
  }

  private static PluginInstance instance(PluginRole role) {
    return PluginInstance.newBuilder()
        .setPlugin("ebs")
        .setNode("n1")
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setAttach(role == PluginRole.CONTROLLER)
        .setExternalNode(role == PluginRole.NODE ? "i-1" : null)
        .setSeenAt(AT)
        .build();
  }
}
