package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.Claim;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.Command;
import dev.berth.records.CommandOutcome;
import dev.berth.records.CommandResult;
import dev.berth.records.DesiredStatus;
import dev.berth.records.DetachVolume;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.RegisterVolume;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.UnmountFailed;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.policy.Policies;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
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
  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");
  private static final String V1 = "default/v1";

  private final TopologyBench bench = new TopologyBench(BadInputTest::all);

  @BeforeEach
  void oneVolumeWithoutController() {
    bench.put(Topic.NODES, "n1", new Node("n1", "nomad", NodeStatus.READY, true, AT));
    bench.put(
        Topic.PLUGINS,
        "nfs/node@n1",
        PluginInstance.newBuilder()
            .setPlugin("nfs")
            .setNode("n1")
            .setRole(PluginRole.NODE)
            .setHealth(PluginHealth.HEALTHY)
            .setSeenAt(AT)
            .build());
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
    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer("ClientStatus", "status", 2));
    assertThat(reasons()).isEmpty();
    assertThat(claims()).last().extracting(Claim::getClient).isEqualTo(ClientStatus.UNRECOGNIZED);

    bench.putBytes(Topic.ALLOC_EVENTS, V1, newer("ClaimMode", "claim", 3));

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
  @DisplayName("that claims for a node nobody reported does not stop the others")
  void unknownNode() {
    bench.put(
        Topic.ALLOC_EVENTS, V1, event("v1", "a1", 1, ask().setNode("nowhere").build()).build());

    assertThat(replies()).extracting(ClaimReply::getAlloc).containsExactly("a1");
    assertThat(reasons()).isEmpty();
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
    bench.put(Topic.ALLOC_EVENTS, V1, running);
    List<ClaimReply> first = replies();
    claims();

    bench.put(Topic.ALLOC_EVENTS, V1, running);
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(1);
    assertThat(claims()).isEmpty();
    bench.put(Topic.ALLOC_EVENTS, V1, event("v1", "a1", 2, claim.getBody()).build());

    ClaimReply granted = first.get(first.size() - 1);
    assertThat(granted.getOutcome()).isEqualTo(ReplyOutcome.GRANTED);
    assertThat(replies()).containsExactly(granted);
    assertGoesOn();
  }

  @Test
  @DisplayName("with an index older than one already heard is ignored and counted")
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
    assertThat(replies()).isEmpty();
    assertThat(bench.counted("ignored", Topic.ALLOC_EVENTS)).isEqualTo(2);
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
    put(event("v1", "a1", 1, ask().build()).setScheduler(""));

    String shown = "x".repeat(60) + "…";
    assertRejected(
        "stopOnDisconnectMillis is -1: give a duration, or null for no promise",
        "alloc '" + shown + "' has 100000 characters: use at most 256",
        "node '" + shown + "' has 100000 characters: use at most 256",
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

  private static AllocEvent claim(String alloc, long index) {
    return event("v1", alloc, index, ask().build()).build();
  }

  private static ClaimRequested.Builder ask() {
    return ClaimRequested.newBuilder()
        .setRequestId("r1")
        .setNode("n1")
        .setMode(ClaimMode.READ)
        .setAccess(AccessMode.MULTI_NODE_READER);
  }

  private static AllocEvent.Builder event(String volume, String alloc, long index, Object body) {
    return AllocEvent.newBuilder()
        .setScheduler("nomad")
        .setIndex(index)
        .setNamespace("default")
        .setVolume(volume)
        .setAlloc(alloc)
        .setAt(AT)
        .setBody(body);
  }

  private static Command command(String id, String by, Object body) {
    return new Command(id, by, "because", AT, body);
  }

  private static VolumeSpec.Builder spec() {
    return VolumeSpec.newBuilder()
        .setNamespace("default")
        .setVolume("v1")
        .setPlugin("nfs")
        .setExternalId("fs-1")
        .setCapabilities(
            List.of(new Capability(AccessMode.MULTI_NODE_READER, AttachmentMode.FILE_SYSTEM)));
  }

  /** An event of a version whose enum has one symbol more, which the event uses. */
  private byte[] newer(String enumName, String what, long index) throws IOException {
    String json = AllocEvent.getClassSchema().toString();
    String symbols = "\"name\":\"" + enumName + "\"";
    int at = json.indexOf("\"symbols\":[", json.indexOf(symbols)) + "\"symbols\":[".length();
    Schema schema =
        new Schema.Parser().parse(json.substring(0, at) + "\"BRAND_NEW\"," + json.substring(at));
    GenericRecord event =
        copy(
            schema,
            what.equals("claim")
                ? claim("a1", index)
                : event(
                        "v1",
                        "a1",
                        index,
                        new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.RUN))
                    .build());
    GenericRecord body = (GenericRecord) event.get("body");
    String field = what.equals("claim") ? "mode" : "client";
    body.put(
        field, new GenericData.EnumSymbol(body.getSchema().getField(field).schema(), "BRAND_NEW"));
    int id = bench.registry().idFor(Registry.valueSubject("newer-" + enumName), schema);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    out.write(ByteBuffer.allocate(4).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(event, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The same record under another schema. */
  private static GenericRecord copy(Schema schema, AllocEvent event) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new org.apache.avro.specific.SpecificDatumWriter<>(AllocEvent.class).write(event, encoder);
    encoder.flush();
    return new org.apache.avro.generic.GenericDatumReader<GenericRecord>(
            AllocEvent.getClassSchema(), schema, GenericData.get())
        .read(null, org.apache.avro.io.DecoderFactory.get().binaryDecoder(out.toByteArray(), null));
  }
}
