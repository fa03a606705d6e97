package dev.berth.producers;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Records that are written all or not at all.
 *
 * @param records the records, in order
 * @param written completes when they are committed
 * @param giveUpAt {@link System#nanoTime} at which trying ends
 */
record Statement(
    List<ProducerRecord<String, byte[]>> records, CompletableFuture<Void> written, long giveUpAt) {

  boolean isLate(long nanoTime) {
    return nanoTime - giveUpAt > 0;
  }
}
