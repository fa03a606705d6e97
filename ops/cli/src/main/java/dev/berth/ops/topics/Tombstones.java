package dev.berth.ops.topics;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a table for the rows that go. */
public final class Tombstones implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Tombstones.class);
  private static final Duration POLL = Duration.ofSeconds(1);

  private final Consumer<String, byte[]> consumer;
  private final Thread thread;
  private final Map<String, CompletableFuture<Void>> gone = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /** Begins to read a table from its beginning. */
  public Tombstones(Connection connection, Topic topic) {
    this.consumer = TopicContent.consumer(connection);
    TopicContent.assign(connection, consumer, topic);
    this.thread = new Thread(this::read, "tombstones-" + topic.suffix());
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Completes when the row with this key has gone; on the thread that reads, so do not block in
   * what depends on it.
   */
  public CompletableFuture<Void> of(String key) {
    return gone.computeIfAbsent(key, k -> new CompletableFuture<>());
  }

  @Override
  public void close() {
    closing = true;
    consumer.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (consumer) {
      while (!closing) {
        for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
          if (record.value() == null) {
            of(record.key()).complete(null);
          }
        }
      }
    } catch (WakeupException e) {
      log.debug("closing");
    } catch (KafkaException e) {
      log.error("the table can no longer be watched", e);
      gone.values().forEach(row -> row.completeExceptionally(e));
    }
  }
}
