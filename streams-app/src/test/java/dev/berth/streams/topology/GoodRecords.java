package dev.berth.streams.topology;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocEvent;
import dev.berth.records.AllocStatusChanged;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Capability;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimRequested;
import dev.berth.records.ClientStatus;
import dev.berth.records.Command;
import dev.berth.records.DesiredStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.VolumeSpec;
import dev.berth.schemas.registry.Registry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificDatumWriter;

/** Good records, to be made bad: all of one volume, {@code default/v1}, unless another is given. */
final class GoodRecords {
  static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  private GoodRecords() {}

  static AllocEvent claim(String alloc, long index) {
    return event("v1", alloc, index, ask().build()).build();
  }

  static ClaimRequested.Builder ask() {
    return ClaimRequested.newBuilder()
        .setRequestId("r1")
        .setNode("n1")
        .setMode(ClaimMode.READ)
        .setAccess(AccessMode.MULTI_NODE_READER);
  }

  static AllocEvent.Builder event(String volume, String alloc, long index, Object body) {
    return AllocEvent.newBuilder()
        .setScheduler("nomad")
        .setIndex(index)
        .setNamespace("default")
        .setVolume(volume)
        .setAlloc(alloc)
        .setAt(AT)
        .setBody(body);
  }

  static Command command(String id, String by, Object body) {
    return new Command(id, by, "because", AT, body);
  }

  static PluginInstance instance(String plugin, PluginRole role, boolean attach) {
    return PluginInstance.newBuilder()
        .setPlugin(plugin)
        .setNode("n1")
        .setRole(role)
        .setHealth(PluginHealth.HEALTHY)
        .setAttach(attach)
        .setSeenAt(AT)
        .build();
  }

  static VolumeSpec.Builder spec() {
    return VolumeSpec.newBuilder()
        .setNamespace("default")
        .setVolume("v1")
        .setPlugin("nfs")
        .setExternalId("fs-1")
        .setCapabilities(
            List.of(new Capability(AccessMode.MULTI_NODE_READER, AttachmentMode.FILE_SYSTEM)));
  }

  /** An event of a version whose enum has one symbol more, which the event uses. */
  static byte[] newer(Registry registry, String enumName, String field, long index)
      throws IOException {
    String json = AllocEvent.getClassSchema().toString();
    String symbols = "\"name\":\"" + enumName + "\"";
    int at = json.indexOf("\"symbols\":[", json.indexOf(symbols)) + "\"symbols\":[".length();
    Schema schema =
        new Schema.Parser().parse(json.substring(0, at) + "\"BRAND_NEW\"," + json.substring(at));
    GenericRecord event =
        copy(
            schema,
            List.of("mode", "jobType").contains(field)
                ? claim("a1", index)
                : event(
                        "v1",
                        "a1",
                        index,
                        new AllocStatusChanged(ClientStatus.RUNNING, DesiredStatus.RUN))
                    .build());
    GenericRecord body = (GenericRecord) event.get("body");
    body.put(
        field, new GenericData.EnumSymbol(body.getSchema().getField(field).schema(), "BRAND_NEW"));
    int id = registry.idFor(Registry.valueSubject("newer-" + enumName), schema);
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
    new SpecificDatumWriter<>(AllocEvent.class).write(event, encoder);
    encoder.flush();
    return new GenericDatumReader<GenericRecord>(
            AllocEvent.getClassSchema(), schema, GenericData.get())
        .read(null, DecoderFactory.get().binaryDecoder(out.toByteArray(), null));
  }
}
