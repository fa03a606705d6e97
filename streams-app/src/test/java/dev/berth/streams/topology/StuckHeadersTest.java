package dev.berth.streams.topology;

import static dev.berth.streams.topology.GoodRecords.AT;
import static dev.berth.streams.topology.GoodRecords.ask;
import static dev.berth.streams.topology.GoodRecords.command;
import static dev.berth.streams.topology.GoodRecords.event;
import static dev.berth.streams.topology.GoodRecords.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.CallFate;
import dev.berth.records.ClientStatus;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DesiredStatus;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RetryVolume;
import dev.berth.records.RpcCode;
import dev.berth.records.StuckClaim;
import dev.berth.records.Unmounted;
import dev.berth.records.Work;
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

/** What a list of dead letters in a Kafka UI shows, in virtual time. */
@DisplayName("The headers of a dead letter")
class StuckHeadersTest {
  private final TopologyBench bench = new TopologyBench(StuckHeadersTest::all);

  @BeforeEach
  void claimOfOneVolume() {
    bench.put(Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.READY, true, AT));
    bench.put(Topic.PLUGINS, "ebs/controller@n1", instance(PluginRole.CONTROLLER));
    bench.put(Topic.PLUGINS, "ebs/node@n1", instance(PluginRole.NODE));
    bench.put(
        Topic.COMMANDS,
        "default/v1",
        command("c-1", "ops", new RegisterVolume(spec().setPlugin("ebs").build())));
    // By then every processor has the policies.
    bench.pass(Duration.ofSeconds(10));
    put(event("v1", "a1", 1, ask().build()).build());
    answered(RpcCode.OK);
    put(
        event("v1", "a1", 2, new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .build());
    put(event("v1", "a1", 3, new Unmounted(null)).build());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("are all that an operator needs as text, with the record that it was decided of")
  void stuck() {
    answered(RpcCode.INTERNAL);

    TestRecord<String, StuckClaim> letter = one(Topic.STUCK_CLAIMS, StuckClaim.class);
    StuckClaim value = letter.value();
    assertThat(letter.key()).isEqualTo("default/v1/a1");
    assertThat(TopologyBench.headers(letter))
        .isEqualTo(
            Map.ofEntries(
                Map.entry("berth.code", "controller-error"),
                Map.entry("berth.attempts", "1"),
                Map.entry("berth.first-failure", AT.plusSeconds(10).toString()),
                Map.entry("berth.last-failure", AT.plusSeconds(10).toString()),
                Map.entry(
                    "berth.next-retry", value.getHold().getNextRetry().orElseThrow().toString()),
                Map.entry("berth.step", "controller-unpublish"),
                Map.entry("berth.plugin", "ebs"),
                Map.entry("berth.node", "n1"),
                Map.entry("berth.remedy", value.getRemedy()),
                Map.entry("berth.resolved", "false"),
                Map.entry("berth.source.topic", "berth.settlements"),
                Map.entry("berth.source.partition", "0"),
                Map.entry(
                    "berth.source.offset",
                    TopologyBench.headers(letter).get("berth.source.offset")),
                Map.entry("kafka_dlt-original-topic", "berth.settlements"),
                Map.entry("kafka_dlt-original-partition", "0"),
                Map.entry(
                    "kafka_dlt-original-offset",
                    TopologyBench.headers(letter).get("berth.source.offset"))));
    assertThat(TopologyBench.headers(letter).get("berth.source.offset")).matches("\\d+");
  }

  @Test
  @DisplayName("say that it is resolved, and how; the tombstone behind it says nothing")
  void resolved() {
    answered(RpcCode.INTERNAL);
    bench.readBytes(Topic.STUCK_CLAIMS);
    bench.pass(Duration.ofMinutes(10));
    answered(RpcCode.OK);

    List<TestRecord<String, StuckClaim>> end = bench.read(Topic.STUCK_CLAIMS, StuckClaim.class);
    assertThat(end).hasSize(2);
    assertThat(TopologyBench.headers(end.get(0)))
        .containsEntry("berth.resolved", "true")
        .containsEntry("berth.resolution", end.get(0).value().getResolution().orElseThrow());
    assertThat(end.get(1).value()).isNull();
    assertThat(TopologyBench.headers(end.get(1))).isEmpty();
  }

  @Test
  @DisplayName("are of a claim that a plain record on commands tries again at once")
  void redriven() {
    answered(RpcCode.INTERNAL);
    assertThat(bench.readBytes(Topic.PLUGIN_WORK)).isEmpty();
    bench.readBytes(Topic.COMMAND_RESULTS);

    bench.put(
        Topic.COMMANDS,
        "default/v1",
        command("retry-1", "ann", new RetryVolume("default", "v1", null)));

    assertThat(one(Topic.COMMAND_RESULTS, CommandResult.class).value().getOutcome())
        .isEqualTo(CommandOutcome.OK);
    answered(RpcCode.OK);
    assertThat(bench.read(Topic.STUCK_CLAIMS, StuckClaim.class))
        .last()
        .extracting(TestRecord::value)
        .isNull();
  }

  private static void all(Topology topology, TopologyContext context) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(
        topology,
        context,
        new Policies(
            0,
            Map.of(
                "default",
                Map.of("node-step", "client", "max-attempts", "1", "backoff.jitter", "0"))));
  }

  private void put(AllocEvent event) {
    bench.put(Topic.ALLOC_EVENTS, "default/v1", event);
  }

  /** As a worker would. */
  private void answered(RpcCode code) {
    Work work = one(Topic.PLUGIN_WORK, Work.class).value();
    bench.put(
        Topic.WORK_ACCEPTANCES,
        "ebs",
        new Acceptance(work.getAttemptId(), "x1", "ebs", "w1", 1000L, AT));
    bench.put(
        Topic.WORK_OUTCOMES,
        "ebs",
        Outcome.newBuilder()
            .setAttemptId(work.getAttemptId())
            .setAcceptanceId("x1")
            .setRequestId(work.getCalls().get(0).getRequestId())
            .setPlugin("ebs")
            .setWorker("w1")
            .setFate(CallFate.ANSWERED)
            .setCode(code)
            .setStartedAt(AT)
            .setEndedAt(AT)
            .build());
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
