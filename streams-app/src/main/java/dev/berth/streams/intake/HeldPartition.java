package dev.berth.streams.intake;

import java.time.Instant;
import org.apache.kafka.common.TopicPartition;

/**
 * A topic-partition that waits for the registry.
 *
 * @param partition which one
 * @param offset of the record it waits before
 * @param schema id of the schema that record was written with
 * @param since when it began to wait
 * @param why what the registry client said last, without credentials; may be empty
 */
public record HeldPartition(
    TopicPartition partition, long offset, int schema, Instant since, String why) {

  /** In one line, for people. */
  public String text() {
    return "%s waits at offset %d since %s: schema id %d is not known here, and the registry gives no answer%s"
        .formatted(partition, offset, since, schema, why.isEmpty() ? "" : " (" + why + ")");
  }
}
