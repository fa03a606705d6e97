package dev.berth.producers;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records that are written all or not at all.
 *
 * @param records the records, in order
 * @param feed feed whose position is among them; empty when none is. Once one of them has failed,
 *     no later one of that feed is written
 * @param written completes when they are committed
 * @param giveUpAt {@link System#nanoTime} at which trying ends
 */
record Statement(
    List<ProducerRecord<String, byte[]>> records,
    Optional<String> feed,
    CompletableFuture<Void> written,
    long giveUpAt) {

  boolean isLate(long nanoTime) {
    return nanoTime - giveUpAt > 0;
  }
}
