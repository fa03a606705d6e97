package dev.berth.streams.topology;

import static dev.berth.streams.topology.GoodRecords.AT;
import static dev.berth.streams.topology.GoodRecords.ask;
import static dev.berth.streams.topology.GoodRecords.command;
import static dev.berth.streams.topology.GoodRecords.event;
import static dev.berth.streams.topology.GoodRecords.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.CallFate;
import dev.berth.records.Claim;
import dev.berth.records.ClaimReply;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What {@code berth.at.*} headers say along the way of an event, in virtual time. */
@DisplayName("The times of steps")
class StepTimesTest {
  private final TopologyBench bench = new TopologyBench(StepTimesTest::all);
  private Instant now = AT;

  @BeforeEach
  void oneVolumeOfOneController() {
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
    pass(Duration.ofSeconds(10));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("go with a claim from its event to the work, the reply and the row")
  void allTheWay() {
    Instant asked = now;
    claim("v1", "a1");
    TestRecord<String, Work> work = one(Topic.PLUGIN_WORK, Work.class);
    StepTimes dispatched =
        StepTimes.NONE
            .with(Step.EVENT, asked)
            .with(Step.DECIDED, asked)
            .with(Step.QUEUED, asked)
            .with(Step.DISPATCHED, asked);
    assertThat(StepTimes.of(work.headers())).isEqualTo(dispatched);
    assertThat(StepTimes.of(bench.read(Topic.CLAIMS, Claim.class).get(0).headers()))
        .isEqualTo(
            StepTimes.NONE
                .with(Step.EVENT, asked)
                .with(Step.DECIDED, asked)
                .with(Step.WRITTEN, asked));

    pass(Duration.ofSeconds(3));
    StepTimes reported = answered(work);

    StepTimes written = reported.with(Step.SETTLED, now).with(Step.WRITTEN, now);
    assertThat(StepTimes.of(one(Topic.CLAIM_REPLIES, ClaimReply.class).headers()))
        .isEqualTo(written);
    assertThat(StepTimes.of(last(Topic.CLAIMS, Claim.class).headers())).isEqualTo(written);
  }

  @Test
  @DisplayName("of a call that had to wait are its own, not those of what let it go")
  void waiting() {
    claim("v1", "a1");
    TestRecord<String, Work> first = one(Topic.PLUGIN_WORK, Work.class);
    pass(Duration.ofSeconds(1));
    Instant asked = now;
    claim("v2", "a2");
    pass(Duration.ofSeconds(5));
    answered(first);

    assertThat(StepTimes.of(one(Topic.PLUGIN_WORK, Work.class).headers()))
        .isEqualTo(
            StepTimes.NONE
                .with(Step.EVENT, asked)
                .with(Step.DECIDED, asked)
                .with(Step.QUEUED, asked)
                .with(Step.DISPATCHED, now));
  }

  @Test
  @DisplayName("begin with the event, whatever a scheduler writes into its headers")
  void foreignHeaders() {
    bench.putBytes(
        Topic.ALLOC_EVENTS,
        "default/v1",
        bench.serialize(Topic.ALLOC_EVENTS, event("v1", "a1", 1, ask().build()).build()),
        StepTimes.NONE.with(Step.EVENT, AT.plusSeconds(77)).with(Step.RPC_ENDED, AT).headers());

    assertThat(StepTimes.of(one(Topic.PLUGIN_WORK, Work.class).headers()).at())
        .containsOnlyKeys(Step.EVENT, Step.DECIDED, Step.QUEUED, Step.DISPATCHED)
        .doesNotContainValue(AT.plusSeconds(77));
  }

  private static void all(Topology topology, TopologyContext context) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(
        topology, context, new Policies(0, Map.of("default", Map.of("node-step", "client"))));
  }

  private void pass(Duration time) {
    bench.pass(time);
    now = now.plus(time);
  }

  private void claim(String volume, String alloc) {
    bench.put(
        Topic.ALLOC_EVENTS,
        "default/" + volume,
        event(volume, alloc, 1, ask().build()).build(),
        now);
  }

  /** As a worker would, with headers of its own. */
  private StepTimes answered(TestRecord<String, Work> record) {
    Work work = record.value();
    StepTimes accepted = StepTimes.of(record.headers()).with(Step.ACCEPTED, now);
    bench.put(
        Topic.WORK_ACCEPTANCES,
        "ebs",
        new Acceptance(work.getAttemptId(), "x1", "ebs", "w1", 1000L, now));
    StepTimes reported =
        accepted
            .with(Step.RPC_STARTED, now)
            .with(Step.RPC_ENDED, now.plusMillis(2))
            .with(Step.REPORTED, now.plusMillis(3));
    Outcome outcome =
        Outcome.newBuilder()
            .setAttemptId(work.getAttemptId())
            .setAcceptanceId("x1")
            .setRequestId(work.getCalls().get(0).getRequestId())
            .setPlugin("ebs")
            .setWorker("w1")
            .setFate(CallFate.ANSWERED)
            .setCode(RpcCode.OK)
            .setPublishContext(Map.of())
            .setStartedAt(now)
            .setEndedAt(now)
            .build();
    bench.putBytes(
        Topic.WORK_OUTCOMES,
        "ebs",
        bench.serialize(Topic.WORK_OUTCOMES, outcome),
        reported.headers());
    return reported;
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

  private <A extends SpecificRecord> TestRecord<String, A> one(Topic topic, Class<A> type) {
    List<TestRecord<String, A>> records = bench.read(topic, type);
    assertThat(records).hasSize(1);
    return records.get(0);
  }

  private <A extends SpecificRecord> TestRecord<String, A> last(Topic topic, Class<A> type) {
    List<TestRecord<String, A>> records = bench.read(topic, type);
    return records.get(records.size() - 1);
  }
}
