package dev.berth.schemas.headers;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;

/**
 * The record that a dead letter comes of, in its headers: in words of ours, and in those by which
 * Kafka UIs find the origin of a dead letter (Spring Kafka's, as text, for what those UIs show of a
 * number in bytes is a guess). Each key is there once, with what was said last: UIs show one.
 *
 * @param topic topic it came from
 * @param partition its partition
 * @param offset its offset
 */
public record Origin(String topic, int partition, long offset) {
  private static final String OURS = "berth.source.";
  private static final String OF_UIS = "kafka_dlt-original-";

  /** Sets the headers. */
  public void addTo(Headers headers) {
    for (String prefix : new String[] {OURS, OF_UIS}) {
      text(headers, prefix + "topic", topic);
      text(headers, prefix + "partition", Integer.toString(partition));
      text(headers, prefix + "offset", Long.toString(offset));
    }
  }

  /** Sets one header, instead of all of this key. */
  public static void text(Headers headers, String key, String value) {
    headers.remove(key);
    headers.add(key, value.getBytes(StandardCharsets.UTF_8));
  }
}
