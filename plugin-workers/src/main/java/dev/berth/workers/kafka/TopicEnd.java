package dev.berth.workers.kafka;

import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads partitions up to the end that they have when the reading begins, transactions included that
 * are open then: it waits until they are decided.
 */
public final class TopicEnd {

  private static final Duration POLL = Duration.ofMillis(100);

  private final Function<Set<TopicPartition>, Map<TopicPartition, Long>> highWatermarks;
  private final Duration patience;
  private final Clocks clocks;

  /**
   * @param highWatermarks asks for the ends of partitions, undecided transactions included
   * @param patience how long to wait for open transactions to be decided
   * @param clocks clocks of the process
   */
  public TopicEnd(
      Function<Set<TopicPartition>, Map<TopicPartition, Long>> highWatermarks,
      Duration patience,
      Clocks clocks) {
    this.highWatermarks = highWatermarks;
    this.patience = patience;
    this.clocks = clocks;
  }

  /**
   * Hands over each record from the reader's positions to the end.
   *
   * @param reader a read_committed consumer with the partitions assigned
   * @param each takes the records
   * @throws TimeoutException when a transaction stays undecided for longer than our patience
   */
  public void read(
      Consumer<String, byte[]> reader,
      java.util.function.Consumer<ConsumerRecord<String, byte[]>> each) {
    Map<TopicPartition, Long> ends = highWatermarks.apply(reader.assignment());
    Moment heard = clocks.read();
    long came = come(reader, ends);
    while (!reached(reader, ends)) {
      // From the last step on: a long topic takes its time, an open transaction lets none be made.
      long now = come(reader, ends);
      heard = now > came ? clocks.read() : heard;
      came = now;
      if (clocks.read().since(heard).compareTo(patience) > 0) {
        throw new TimeoutException(
            "%s was not decided to its end within %s; is a transaction left open?"
                .formatted(ends.keySet(), patience));
      }
      reader.poll(POLL).forEach(each);
    }
  }

  /** How far it has come; also past what was aborted, which brings no records. */
  private static long come(Consumer<String, byte[]> reader, Map<TopicPartition, Long> ends) {
    return ends.keySet().stream().mapToLong(reader::position).sum();
  }

  private static boolean reached(Consumer<String, byte[]> reader, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> reader.position(end.getKey()) >= end.getValue());
  }
}
