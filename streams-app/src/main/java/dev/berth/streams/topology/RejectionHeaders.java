package dev.berth.streams.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;

/** The headers of {@code rejected-records}: UTF-8 texts, each once. */
public final class RejectionHeaders {
  /** Topic the record came from. */
  public static final String SOURCE_TOPIC = "berth.source.topic";

  /** Its partition. */
  public static final String SOURCE_PARTITION = "berth.source.partition";

  /** Its offset. */
  public static final String SOURCE_OFFSET = "berth.source.offset";

  /** Why it was put aside, for people. */
  public static final String REASON = "berth.reason";

  private RejectionHeaders() {}

  /** Sets all of them. */
  public static void set(Headers headers, String topic, int partition, long offset, String reason) {
    text(headers, SOURCE_TOPIC, topic);
    text(headers, SOURCE_PARTITION, Integer.toString(partition));
    text(headers, SOURCE_OFFSET, Long.toString(offset));
    text(headers, REASON, reason);
  }

  private static void text(Headers headers, String key, String value) {
    headers.remove(key);
    headers.add(key, value.getBytes(StandardCharsets.UTF_8));
  }
}
