package dev.berth.workers.accept;

import dev.berth.workers.time.Moment;
import org.apache.kafka.common.TopicPartition;

/**
 * A partition whose next record was written with a schema that nobody can tell for now.
 *
 * @param partition which one
 * @param offset of the record it waits before
 * @param triedAt when the registry was asked last
 * @param why what the registry client said, without credentials
 */
record HeldPartition(TopicPartition partition, long offset, Moment triedAt, String why) {

  /** In one line, for people. */
  String text() {
    return partition + " waits at offset " + offset + ": " + why;
  }
}
