package dev.berth.schemas.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.samples.Sample;
import dev.berth.records.samples.SampleKind;
import dev.berth.records.samples.SamplePart;
import dev.berth.schemas.registry.Registry;
import io.confluent.kafka.schemaregistry.avro.AvroSchema;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Avro serde")
class AvroSerdeTest {

  private static final String TOPIC = "berth.samples";
  private static final Instant AT = Instant.parse("2025-06-01T10:00:00.123Z");

  private final MockSchemaRegistryClient client = new MockSchemaRegistryClient();
  private final AvroSerde<Sample> serde = AvroSerde.of(client, Sample.class);

  @Test
  @DisplayName("reads back what it wrote")
  void roundTrip() {
    Sample sample = sample().build();

    assertThat(read(write(sample))).isEqualTo(sample);
  }

  @Test
  @DisplayName("keeps absent values absent")
  void absentValues() {
    Sample sample = Sample.newBuilder().setId("a").setAt(AT).build();

    assertThat(read(write(sample))).isEqualTo(sample);
    assertThat(sample.getNote()).isEmpty();
  }

  @Test
  @DisplayName("leaves tombstones alone")
  void tombstones() {
    assertThat(serde.serializer().serialize(TOPIC, null)).isNull();
    assertThat(serde.deserializer().deserialize(TOPIC, null)).isNull();
  }

  @Test
  @DisplayName("writes zero, the schema id in four bytes, then Avro that a foreign reader reads")
  void wireFormat() throws Exception {
    byte[] bytes = write(sample().build());

    ByteBuffer header = ByteBuffer.wrap(bytes);
    assertThat(header.get()).isZero();
    int id = header.getInt();
    assertThat(id).isEqualTo(client.getLatestSchemaMetadata(Registry.valueSubject(TOPIC)).getId());
    Schema written = (Schema) client.getSchemaById(id).rawSchema();
    GenericRecord foreign =
        new GenericDatumReader<GenericRecord>(written)
            .read(null, DecoderFactory.get().binaryDecoder(bytes, 5, bytes.length - 5, null));
    assertThat(foreign.get("id")).hasToString("a");
    assertThat(foreign.get("at")).isEqualTo(AT.toEpochMilli());
  }

  @Test
  @DisplayName("registers the schema without hints for Java, and with its documentation")
  void publishedSchema() throws Exception {
    write(sample().build());

    String registered = client.getLatestSchemaMetadata(Registry.valueSubject(TOPIC)).getSchema();
    assertThat(registered).doesNotContain("avro.java.string").contains("When it was taken.");
  }

  @Test
  @DisplayName("reads a record that an older schema wrote")
  void olderWriter() throws Exception {
    Schema older =
        SchemaBuilder.record("Sample")
            .namespace("dev.berth.records.samples")
            .fields()
            .requiredString("id")
            .requiredLong("at")
            .requiredString("gone")
            .endRecord();
    GenericRecord record = new GenericData.Record(older);
    record.put("id", "a");
    record.put("at", AT.toEpochMilli());
    record.put("gone", "dropped since");

    Sample read = read(foreign(older, record));

    assertThat(read).isEqualTo(Sample.newBuilder().setId("a").setAt(AT).build());
  }

  @Test
  @DisplayName("reads an enum symbol it does not know as the default")
  void unknownSymbol() throws Exception {
    Schema newer =
        new Schema.Parser()
            .parse(Sample.getClassSchema().toString().replace("\"SECOND\"", "\"THIRD\""));
    GenericRecord record = new GenericData.Record(newer);
    record.put("id", "a");
    record.put("at", AT.toEpochMilli());
    record.put("kind", new GenericData.EnumSymbol(newer.getField("kind").schema(), "THIRD"));
    record.put("labels", Map.of());
    record.put("parts", List.of());

    assertThat(read(foreign(newer, record)).getKind()).isEqualTo(SampleKind.UNKNOWN);
  }

  @Test
  @DisplayName("serves many threads at once")
  void manyThreads() {
    List<Sample> samples =
        IntStream.range(0, 2_000).mapToObj(i -> sample().setId("id-" + i).build()).toList();

    List<Sample> read = samples.parallelStream().map(s -> read(write(s))).toList();

    assertThat(read).isEqualTo(samples);
  }

  @Test
  @DisplayName("goes on after a record that breaks its schema")
  void brokenRecord() {
    Sample broken = new Sample("a", null, AT, null, null, Map.of(), List.of());
    Sample whole = sample().build();

    assertThatThrownBy(() -> write(broken))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(TOPIC)
        .hasMessageContaining("Sample");
    assertThat(read(write(whole))).isEqualTo(whole);
  }

  @Test
  @DisplayName(
      "calls bytes unreadable that are too short, of another format, or of an unknown schema")
  void foreignBytes() {
    write(sample().build());

    assertUnreadable(new byte[0], "too short");
    assertUnreadable(new byte[] {0, 0, 0, 1}, "too short");
    assertUnreadable("{\"id\":1}".getBytes(java.nio.charset.StandardCharsets.UTF_8), "first byte");
    assertUnreadable(new byte[] {0, 0, 0, 3, 9}, "id 777");
  }

  @Test
  @DisplayName("calls a record unreadable wherever it is cut off, or when bytes follow it")
  void cutRecord() {
    byte[] bytes = write(sample().build());

    for (int length = WireFormat.HEADER_BYTES; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(UnreadableRecordException.class);
    }
    assertUnreadable(Arrays.copyOf(bytes, bytes.length + 1), "follow after the end");
  }

  @Test
  @DisplayName(
      "calls a record unreadable that claims a string of a gigabyte, without making room for it")
  void hugeLength() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(write(sample().build()), 0, WireFormat.HEADER_BYTES);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    encoder.writeLong(1L << 30);

    assertUnreadable(out.toByteArray(), "broken Avro");
  }

  @Test
  @DisplayName("calls a record unreadable whose schema cannot be resolved to ours")
  void unrelatedSchema() throws Exception {
    Schema other =
        SchemaBuilder.record("Other").namespace("x").fields().requiredInt("n").endRecord();
    GenericRecord record = new GenericData.Record(other);
    record.put("n", 1);

    assertUnreadable(foreign(other, record), "broken Avro");
  }

  @Test
  @DisplayName("refuses to be used for keys")
  void keys() {
    assertThatThrownBy(() -> serde.configure(Map.of(), true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Serdes.String()");
  }

  private static Sample.Builder sample() {
    return Sample.newBuilder()
        .setId("a")
        .setKind(SampleKind.SECOND)
        .setAt(AT)
        .setNote("grün")
        .setEndedAt(AT.plusSeconds(5))
        .setLabels(Map.of("zone", "eu-1"))
        .setParts(List.of(new SamplePart("p1", 1L), new SamplePart("p2", 2L)));
  }

  private byte[] write(Sample sample) {
    return serde.serializer().serialize(TOPIC, sample);
  }

  private Sample read(byte[] bytes) {
    return serde.deserializer().deserialize(TOPIC, bytes);
  }

  private byte[] foreign(Schema schema, GenericRecord record) throws Exception {
    int id = client.register("foreign-value", new AvroSchema(schema));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0);
    out.write(ByteBuffer.allocate(4).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private void assertUnreadable(byte[] bytes, String reason) {
    assertThatThrownBy(() -> read(bytes))
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageStartingWith("topic " + TOPIC + ": not a Sample")
        .hasMessageContaining(reason);
  }
}
