package dev.berth.streams.topology;

import dev.berth.schemas.headers.Origin;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The headers of {@code rejected-records} beside those of their {@link Origin}: UTF-8 texts, each
 * once.
 */
public final class RejectionHeaders {
  /** Why it was put aside, for people. */
  public static final String REASON = "berth.reason";

  /** Size of its value (bytes), when that is too large to be kept. */
  public static final String OMITTED = "berth.omitted.bytes";

  /** Of the text of an error: whole values may be quoted in it. */
  private static final int LONGEST_REASON = 4_000;

  private RejectionHeaders() {}

  /**
   * The value of a record that is put aside: as it came, or null and a header that says how large
   * it was. Refusing the record would stop its partition.
   */
  public static byte @Nullable [] kept(byte @Nullable [] value, Headers headers) {
    if (value == null || RecordSize.fits(value)) {
      return value;
    }
    Origin.text(headers, OMITTED, Integer.toString(value.length));
    return null;
  }

  /** Sets all of them. */
  public static void set(Headers headers, String topic, int partition, long offset, String reason) {
    new Origin(topic, partition, offset).addTo(headers);
    Origin.text(
        headers,
        REASON,
        reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…");
  }
}
