package dev.berth.ops.topics;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Waits until a table has no rows any more. For one thread. */
public final class RowsLeft implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  private final Consumer<String, byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Set<String> rows = new LinkedHashSet<>();

  /** Begins at the table's beginning. */
  public RowsLeft(Connection connection, Topic topic) {
    this.consumer = TopicContent.consumer(connection);
    this.partitions = TopicContent.assign(connection, consumer, topic);
  }

  /**
   * Waits for the last row to go.
   *
   * @param patience longest time in which no row goes
   * @return keys of the rows that are left; empty unless that time has passed
   */
  public Set<String> awaitNone(Duration patience) throws InterruptedException {
    long changed = System.nanoTime();
    while (true) {
      for (ConsumerRecord<String, byte[]> row : consumer.poll(POLL)) {
        changed = System.nanoTime();
        if (row.value() == null) {
          rows.remove(row.key());
        } else {
          rows.add(row.key());
        }
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      boolean given = System.nanoTime() - changed > patience.toNanos();
      if (given || (rows.isEmpty() && hasReadAll())) {
        return Set.copyOf(rows);
      }
    }
  }

  private boolean hasReadAll() {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
