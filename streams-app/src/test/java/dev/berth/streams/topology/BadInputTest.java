package dev.berth.streams.topology;

import static dev.berth.streams.topology.GoodRecords.AT;
import static dev.berth.streams.topology.GoodRecords.ask;
import static dev.berth.streams.topology.GoodRecords.claim;
import static dev.berth.streams.topology.GoodRecords.command;
import static dev.berth.streams.topology.GoodRecords.event;
import static dev.berth.streams.topology.GoodRecords.instance;
import static dev.berth.streams.topology.GoodRecords.newer;
import static dev.berth.streams.topology.GoodRecords.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AssumeDetached;
import dev.berth.records.Claim;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DesiredStatus;
import dev.berth.records.DetachVolume;
import dev.berth.records.FenceNode;
import dev.berth.records.Hold;
import dev.berth.records.HoldCode;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.UnblockVolume;
import dev.berth.records.UnmountFailed;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rows of BAD-INPUT.md that are about schedulers' events and commands, in virtual time. */
@DisplayName("Bad input")
class BadInputTest {
  private static final String V1 = "default/v1";

  private final TopologyBench bench = new TopologyBench(BadInputTest::all);

  @BeforeEach
  void oneVolumeWithoutController() {
    bench.put(Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.READY, true, AT));
    bench.put(Topic.PLUGINS, "nfs/node@n1", instance("nfs", PluginRole.NODE, false));
    bench.put(Topic.COMMANDS, V1, command("c1", "ops", new RegisterVolume(spec().build())));
    assertThat(results()).extracting(CommandResult::getOutcome).containsExactly(CommandOutcome.OK);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @DisplayName("that is an event without a key is put aside with the key it should have")
  void nullKey() {
    bench.put(Topic.ALLOC_EVENTS, null, claim("a1", 1));
    bench.put(Topic.ALLOC_EVENTS, "", claim("a1", 1));

    assertRejected(
        "the key is 'null' but the record is about default/v1: key it by that",
        "the key is '' but the record is about default/v1: key it by that");
    assertGoesOn();
  }

  @Test
  @DisplayName("that is an event under the key of another volume is put aside")
  void otherKey() {
    bench.put(Topic.ALLOC_EVENTS, "default/v2", claim("a1", 1));

    assertRejected("the key is 'default/v2' but the record is about default/v1: key it by that");
    assertGoesOn();
  }

  @Test
  @DisplayName("that is a tombstone on a topic without any is put aside")
  void nullValue() {
    bench.putBytes(Topic.ALLOC_EVENTS, V1, null);

    assertRejected("the value is null: berth.alloc-events has no tombstones");
    assertGoesOn();
  }

  @Test
  @DisplayName("that is no record at all, or a broken one, is put aside")
  void broken() {
    byte[] whole = bench.serialize(Topic.ALLOC_EVENTS, claim("a1", 1));
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 4);
    bench.putBytes(Topic.ALLOC_EVENTS, V1, "{\"alloc\":\"a1\"}".getBytes(StandardCharsets.UTF_8));
    bench.putBytes(Topic.ALLOC_EVENTS, V1, new byte[0]);
    bench.putBytes(Topic.ALLOC_EVENTS, V1, cut);

    assertRejected(
        "topic berth.alloc-events: not a AllocEvent: the first byte is 123, not 0",
        "topic berth.alloc-events: not a AllocEvent: 0 bytes are too short for the header",
        "topic berth.alloc-events: not a AllocEvent: broken Avro in "
            + cut.length
            + " bytes (EOFException)");
    assertGoesOn();
  }

  @Test
  @DisplayName("that is a record of another kind is put aside")
  void otherKind() {
    bench.put(Topic.ALLOC_EVENTS, V1, command("c2", "ops", new DetachVolume("default", "v1", "n")));

    assertThat(reasons())
        .singleElement()
        .asString()
        .startsWith("topic berth.alloc-events: not a AllocEvent: broken Avro in ");
    assertGoesOn();
  }

  @Test
  @DisplayName("that is written with a schema the registry says it has not is put aside")
  void unknownSchema() {
    byte[] bytes = bench.serialize(Topic.ALLOC_EVENTS, claim("a1", 1));
    ByteBuffer.wrap(bytes).putInt(1, 4711);
    bench.putBytes(Topic.ALLOC_EVENTS, V1, bytes);

    assertRejected(
        "topic berth.alloc-events: not a AllocEvent: the registry has no Avro schema with id 4711");
    assertGoesOn();
  }

  @Test
  @DisplayName("that comes from a newer schema is read where it says how, else put aside")
  void newerEnum() throws IOException {
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 1));
    replies();
    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer(bench.registry(), "ClientStatus", "client", 2));
    assertThat(reasons()).isEmpty();
    assertThat(claims()).last().extracting(Claim::getClient).isEqualTo(ClientStatus.UNRECOGNIZED);

    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer(bench.registry(), "DesiredStatus", "desired", 3));
    assertThat(reasons()).isEmpty();
    assertThat(claims()).last().extracting(Claim::getDesired).isEqualTo(DesiredStatus.UNRECOGNIZED);

    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer(bench.registry(), "JobType", "jobType", 4));
    assertThat(reasons()).isEmpty();

    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer(bench.registry(), "ClaimMode", "mode", 5));

    assertThat(reasons())
        .singleElement()
        .asString()
        .startsWith("topic berth.alloc-events: not a AllocEvent: broken Avro in ")
        .endsWith("(AvroTypeException)");
    assertGoesOn();
  }

  @Test
  @DisplayName("that claims a volume nobody registered is answered not-found")
  void unregistered() {
    AllocEvent claim = event("v9", "a1", 1, ask().build()).build();
    bench.put(Topic.ALLOC_EVENTS, "default/v9", claim);
    bench.put(
        Topic.ALLOC_EVENTS,
        "default/v9",
        event("v9", "a2", 1, new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.RUN))
            .build());

    assertThat(replies())
        .extracting(ClaimReply::getOutcome, r -> r.getCode().orElse(null))
        .containsExactly(tuple(ReplyOutcome.REJECTED, RejectCode.NOT_FOUND));
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(1);
    assertGoesOn();
  }

  @Test
  @DisplayName("that ends an alloc on a volume nobody registered is remembered")
  void endOnUnregistered() {
    bench.put(
        Topic.ALLOC_EVENTS,
        "default/v9",
        event("v9", "a1", 1, new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .build());
    bench.put(
        Topic.COMMANDS,
        "default/v9",
        command(
            "c2", "ops", new RegisterVolume(spec().setVolume("v9").setExternalId("fs-9").build())));

    bench.put(Topic.ALLOC_EVENTS, "default/v9", event("v9", "a1", 2, ask().build()).build());

    assertThat(replies())
        .extracting(ClaimReply::getAlloc, r -> r.getCode().orElse(null), ClaimReply::getMessage)
        .containsExactly(tuple("a1", RejectCode.ALLOC_TERMINAL, "alloc a1 has ended"));
    assertGoesOn();
  }

  @Test
  @DisplayName("that claims for a node nobody reported does not stop the others")
  void unknownNode() {
    bench.put(
        Topic.ALLOC_EVENTS, V1, event("v1", "a1", 1, ask().setNode("nowhere").build()).build());

    assertThat(replies())
        .extracting(ClaimReply::getAlloc, ClaimReply::getOutcome)
        .containsExactly(tuple("a1", ReplyOutcome.GRANTED));
    assertThat(reasons()).isEmpty();
    assertGoesOn();
  }

  @Test
  @DisplayName("that claims for a node nobody reported is held where the attach needs its name")
  void unknownNodeOfAttach() {
    bench.put(Topic.PLUGINS, "ebs/controller@n1", instance("ebs", PluginRole.CONTROLLER, true));
    bench.put(Topic.PLUGINS, "ebs/node@n1", instance("ebs", PluginRole.NODE, false));
    bench.put(
        Topic.COMMANDS,
        "default/v2",
        command("c2", "ops", new RegisterVolume(spec().setVolume("v2").setPlugin("ebs").build())));
    claims();

    bench.put(
        Topic.ALLOC_EVENTS,
        "default/v2",
        event("v2", "a1", 1, ask().setNode("nowhere").build()).build());
    assertThat(claims())
        .last()
        .extracting(claim -> claim.getHold().map(Hold::getCode).orElse(null))
        .isEqualTo(HoldCode.MISSING_EXTERNAL_NODE_ID);
    bench.pass(Duration.ofHours(24).minusMinutes(1));
    assertThat(replies()).extracting(ClaimReply::getOutcome).doesNotContain(ReplyOutcome.REJECTED);
    bench.pass(Duration.ofMinutes(2));

    assertThat(replies())
        .extracting(ClaimReply::getAlloc, ClaimReply::getOutcome, r -> r.getCode().orElse(null))
        .containsExactly(tuple("a1", ReplyOutcome.REJECTED, RejectCode.TIMEOUT));
    assertThat(bench.readBytes(Topic.PLUGIN_WORK)).isEmpty();
    assertGoesOn();
  }

  @Test
  @DisplayName("that comes twice changes nothing: a claim is answered again, the rest is counted")
  void duplicate() {
    AllocEvent claim = claim("a1", 1);
    AllocEvent running =
        event("v1", "a1", 2, new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.RUN))
            .build();
    bench.put(Topic.ALLOC_EVENTS, V1, claim);
    List<ClaimReply> first = replies();
    ClaimReply granted = first.get(first.size() - 1);
    assertThat(granted.getOutcome()).isEqualTo(ReplyOutcome.GRANTED);

    bench.put(Topic.ALLOC_EVENTS, V1, claim);
    assertThat(replies()).as("the very same claim").containsExactly(granted);
    bench.put(Topic.ALLOC_EVENTS, V1, running);
    claims();
    bench.put(Topic.ALLOC_EVENTS, V1, running);
    assertThat(claims()).as("the very same status").isEmpty();
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(1);
    bench.put(Topic.ALLOC_EVENTS, V1, claim);
    assertThat(replies()).as("a claim older than the status").containsExactly(granted);
    assertThat(claims()).as("and nothing else follows from it").isEmpty();
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 3));
    assertThat(replies()).as("the claim repeated with a newer index").containsExactly(granted);
    assertGoesOn();
  }

  @Test
  @DisplayName("with an index older than one already heard changes nothing; a claim is answered")
  void staleIndex() {
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 7));
    replies();
    claims();

    bench.put(
        Topic.ALLOC_EVENTS,
        V1,
        event("v1", "a1", 6, new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .build());
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 5));

    assertThat(claims()).isEmpty();
    assertThat(replies()).extracting(ClaimReply::getOutcome).containsExactly(ReplyOutcome.GRANTED);
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(1);
    assertGoesOn();
  }

  @Test
  @DisplayName("by which a second scheduler speaks of another's alloc moves nothing")
  void secondScheduler() {
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 1));
    replies();
    claims();

    bench.put(
        Topic.ALLOC_EVENTS, V1, AllocEvent.newBuilder(claim("a1", 9)).setScheduler("b").build());
    bench.put(
        Topic.ALLOC_EVENTS,
        V1,
        event("v1", "a1", 10, new AllocStatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP))
            .setScheduler("b")
            .build());

    assertThat(replies())
        .extracting(ClaimReply::getOutcome, r -> r.getCode().orElse(null), ClaimReply::getMessage)
        .containsExactly(
            tuple(
                ReplyOutcome.REJECTED,
                RejectCode.INVALID,
                "alloc id a1 has a claim of scheduler nomad: alloc ids are unique"));
    assertThat(claims()).isEmpty();
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(1);
    assertGoesOn();
  }

  @Test
  @DisplayName("with values that cannot be meant is put aside with field, value and remedy")
  void absurdValues() {
    String huge = "x".repeat(100_000);
    put(event("v1", "a1", 1, ask().setStopOnDisconnectMillis(-1L).build()));
    put(event("v1", huge, 1, ask().build()));
    put(event("v1", "a1", 1, ask().setNode(huge).build()));
    put(event("v1", "a/1", 1, ask().build()));
    put(event("v1", "a1", 1, ask().setNode("n/1").build()));
    put(event("v1", "a1", 1, ask().build()).setScheduler(""));

    String shown = "x".repeat(60) + "…";
    assertRejected(
        "stopOnDisconnectMillis is -1: give a duration, or null for no promise",
        "alloc '" + shown + "' has 100000 characters: use at most 256",
        "node '" + shown + "' has 100000 characters: use at most 256",
        "alloc 'a/1' holds a slash, which separates the parts of a key: take it out",
        "node 'n/1' holds a slash, which separates the parts of a key: take it out",
        "scheduler is empty: name the scheduler");
    assertGoesOn();
  }

  @Test
  @DisplayName("with a time of the far future or past is decided: no rule looks at others' clocks")
  void absurdTimes() {
    put(event("v1", "a1", 1, ask().build()).setAt(Instant.parse("9999-01-01T00:00:00Z")));
    put(event("v1", "a2", 1, ask().build()).setAt(Instant.parse("0001-01-01T00:00:00Z")));

    assertThat(replies()).extracting(ClaimReply::getAlloc).containsExactly("a1", "a2");
    assertThat(reasons()).isEmpty();
  }

  @Test
  @DisplayName("with a text without end is decided, and the text is cut")
  void hugeText() {
    bench.put(Topic.ALLOC_EVENTS, V1, claim("a1", 1));
    put(event("v1", "a1", 2, new UnmountFailed(null, "e".repeat(900_000))));

    assertThat(claims())
        .last()
        .extracting(claim -> claim.getUnmountError().orElse(""))
        .isEqualTo("e".repeat(4_000) + "…");
    assertThat(reasons()).isEmpty();
    assertGoesOn();
  }

  @Test
  @DisplayName("by which a command has no author is refused")
  void noAuthor() {
    bench.put(Topic.COMMANDS, V1, command("c2", " ", new DetachVolume("default", "v1", "n1")));

    assertThat(results())
        .containsExactly(
            new CommandResult(
                "c2",
                " ",
                "because",
                "DetachVolume",
                V1,
                CommandOutcome.REFUSED,
                "invalid",
                "by is empty: name who asks, since every command is recorded with it",
                AT));
    assertGoesOn();
  }

  @Test
  @DisplayName("by which somebody vouches without a reason is refused")
  void noReason() {
    for (Object body : List.of(new FenceNode("n1"), new AssumeDetached("default", "v1", "n1"))) {
      bench.put(Topic.COMMANDS, V1, new Command("c2", "ops", " ", AT, body));
    }

    assertThat(results())
        .extracting(
            CommandResult::getCommand, r -> r.getCode().orElse(""), CommandResult::getMessage)
        .containsExactly(
            tuple(
                "FenceNode",
                "invalid",
                "reason is empty: say why, since this overrides what Berth knows"),
            tuple(
                "AssumeDetached",
                "invalid",
                "reason is empty: say why, since this overrides what Berth knows"));
    assertGoesOn();
  }

  @Test
  @DisplayName("by which a command names a volume that cannot be is refused")
  void commandForNoVolume() {
    bench.put(Topic.COMMANDS, V1, command("c2", "ops", new DetachVolume("a/b", "v1", "n1")));
    bench.put(Topic.COMMANDS, V1, command("c3", "ops", new UnblockVolume("default", "")));

    assertThat(results())
        .extracting(
            CommandResult::getCommandId, r -> r.getCode().orElse(""), CommandResult::getMessage)
        .containsExactly(
            tuple(
                "c2",
                "invalid",
                "namespace 'a/b' holds a slash, which separates the parts of a key: take it out"),
            tuple("c3", "invalid", "volume is empty: name the volume"));
    assertGoesOn();
  }

  @Test
  @DisplayName("by which a command has no id is put aside: nobody could find its answer")
  void noCommandId() {
    bench.put(Topic.COMMANDS, V1, command("", "ops", new DetachVolume("default", "v1", "n1")));

    assertRejected("commandId is empty: name the commandId");
    assertThat(results()).isEmpty();
    assertGoesOn();
  }

  @Test
  @DisplayName("with a header that is no text is decided; put aside, it keeps the header as it was")
  void headerWithoutText() {
    byte[] noText = {(byte) 0xc3, (byte) 0x28, (byte) 0xff};
    bench.putBytes(
        Topic.ALLOC_EVENTS,
        V1,
        bench.serialize(Topic.ALLOC_EVENTS, claim("a1", 1)),
        new RecordHeaders().add("trace", noText));
    assertThat(replies()).extracting(ClaimReply::getAlloc).containsExactly("a1");

    bench.putBytes(
        Topic.ALLOC_EVENTS, V1, new byte[] {1}, new RecordHeaders().add("trace", noText));

    assertThat(bench.readBytes(Topic.REJECTED_RECORDS))
        .singleElement()
        .extracting(record -> record.headers().lastHeader("trace").value())
        .isEqualTo(noText);
    assertGoesOn();
  }

  private void assertRejected(String... reasons) {
    List<TestRecord<String, byte[]>> rejected = bench.readBytes(Topic.REJECTED_RECORDS);
    assertThat(rejected)
        .extracting(record -> TopologyBench.headers(record).get("berth.reason"))
        .containsExactly(reasons);
    Topic source =
        TopologyBench.headers(rejected.get(0)).get("berth.source.topic").endsWith("commands")
            ? Topic.COMMANDS
            : Topic.ALLOC_EVENTS;
    assertThat(bench.counted("rejected", source)).isEqualTo(reasons.length);
  }

  private List<String> reasons() {
    return bench.readBytes(Topic.REJECTED_RECORDS).stream()
        .map(record -> TopologyBench.headers(record).getOrDefault("berth.reason", ""))
        .toList();
  }

  /** A claim behind whatever came is granted. */
  private void assertGoesOn() {
    replies();
    bench.put(Topic.ALLOC_EVENTS, V1, claim("behind", 1));
    assertThat(replies())
        .last()
        .extracting(ClaimReply::getAlloc, ClaimReply::getOutcome)
        .containsExactly("behind", ReplyOutcome.GRANTED);
  }

  private List<ClaimReply> replies() {
    return bench.read(Topic.CLAIM_REPLIES, ClaimReply.class).stream()
        .map(TestRecord::value)
        .toList();
  }

  private List<Claim> claims() {
    return bench.read(Topic.CLAIMS, Claim.class).stream().map(TestRecord::value).toList();
  }

  private List<CommandResult> results() {
    return bench.read(Topic.COMMAND_RESULTS, CommandResult.class).stream()
        .map(TestRecord::value)
        .toList();
  }

  private void put(AllocEvent.Builder event) {
    bench.put(Topic.ALLOC_EVENTS, V1, event.build());
  }

  private static void all(Topology topology, TopologyContext context) {
    VolumeClaimsSubtopology.addTo(topology, context);
    LanesSubtopology.addTo(topology, context);
    ClusterSubtopology.addTo(topology, context, Policies.DEFAULTS);
  }
}
