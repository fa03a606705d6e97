package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** What the topology writes, record by record, whatever its type. */
final class FuzzedOutput {
  private static final int HEADER = 5;

  private final TopologyBench bench;
  private final List<Written> kept = new ArrayList<>();

  FuzzedOutput(TopologyBench bench) {
    this.bench = bench;
  }

  /**
   * A record that was written.
   *
   * @param topic where
   * @param key under which key
   * @param content its content; null for a tombstone and for bytes that were put aside
   * @param reason why it was put aside; empty when it was not
   */
  record Written(
      Topic topic, @Nullable String key, @Nullable GenericRecord content, String reason) {
    boolean isRejection() {
      return topic == Topic.REJECTED_RECORDS;
    }

    GenericRecord value() {
      return Objects.requireNonNull(content, () -> "a tombstone on " + topic.suffix());
    }
  }

  /** What came since this was last asked. */
  List<Written> written() {
    List<Written> fresh = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      for (TestRecord<String, byte[]> record : bench.readBytes(topic)) {
        fresh.add(written(topic, record));
      }
    }
    kept.addAll(fresh);
    return fresh;
  }

  /** Everything that came since this was last asked, but for the healthy cluster's own. */
  List<Written> collect() {
    written();
    List<Written> others =
        kept.stream()
            .filter(each -> each.key() == null || !each.key().startsWith("healthy"))
            .toList();
    kept.clear();
    return others;
  }

  private static Written written(Topic topic, TestRecord<String, byte[]> record) {
    String reason = TopologyBench.headers(record).getOrDefault("berth.reason", "");
    Schema schema = topic.schema().orElse(null);
    if (reason.startsWith("processing failed")) {
      throw new AssertionError(reason);
    }
    byte[] value = record.value();
    return new Written(
        topic,
        record.key(),
        schema == null || value == null ? null : content(schema, value),
        reason);
  }

  private static GenericRecord content(Schema schema, byte[] value) {
    try {
      return new GenericDatumReader<GenericRecord>(schema)
          .read(
              null, DecoderFactory.get().binaryDecoder(value, HEADER, value.length - HEADER, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
