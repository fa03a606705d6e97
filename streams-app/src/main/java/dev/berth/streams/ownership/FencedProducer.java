package dev.berth.streams.ownership;

import java.util.Map;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer of Kafka Streams that commits nothing for a member which its group has given up.
 *
 * <p>The group's generation is checked where a transaction's offsets are, and Kafka (4.4.0) leaves
 * that out when there are none: what a punctuation alone has written. An instance that was stopped
 * for longer than its session would then write what it decided by an old state over what the
 * partition's new owner has decided since, before it hears that it is the owner no more. So such a
 * transaction carries an offset of the fence.
 *
 * <p>An offset that is accepted proves that nobody else had the partitions until then, and all that
 * the transaction wrote to changelogs lies there already: who gets the partitions next reads to the
 * end of them, and waits for the end of the transaction meanwhile.
 */
public final class FencedProducer extends KafkaProducer<byte[], byte[]> {
  private static final OffsetAndMetadata HERE = new OffsetAndMetadata(0);

  private final TopicPartition fence;

  /**
   * Makes it.
   *
   * @param settings of the producer, with a transactional id
   * @param fence a partition that nobody reads in the group
   */
  public FencedProducer(Map<String, Object> settings, TopicPartition fence) {
    super(settings, new ByteArraySerializer(), new ByteArraySerializer());
    this.fence = fence;
  }

  /**
   * {@inheritDoc}
   *
   * @throws CommitFailedException when the group has given up the member; Kafka Streams then gives
   *     up its tasks and joins anew
   */
  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    // Offsets without a member are taken from anybody: it is how old producers commit.
    if (group.generationId() <= 0 || group.memberId().isEmpty()) {
      throw new CommitFailedException(
          "the consumer has lost its place in group " + group.groupId());
    }
    super.sendOffsetsToTransaction(offsets.isEmpty() ? Map.of(fence, HERE) : offsets, group);
  }
}
