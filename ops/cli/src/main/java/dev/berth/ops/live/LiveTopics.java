package dev.berth.ops.live;

import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** All topics of one Berth: written to, read as they grow, and compared with what is processed. */
final class LiveTopics implements AutoCloseable {

  private static final Set<Party> PROCESSORS =
      Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER);
  private static final Duration LOOK = Duration.ofMillis(30);

  private final Connection connection;
  private final Producer<String, byte[]> producer;
  private final Consumer<String, byte[]> consumer;
  private final Admin admin;

  /** Offset of the last record read of each partition that processors read. */
  private final Map<TopicPartition, Long> toProcess = new HashMap<>();

  LiveTopics(Connection connection) {
    this.connection = connection;
    Map<String, Object> broker = Map.of("bootstrap.servers", connection.bootstrapServers());
    producer = new KafkaProducer<>(broker, new StringSerializer(), new ByteArraySerializer());
    Map<String, Object> reading = new HashMap<>(broker);
    reading.put("isolation.level", "read_committed");
    reading.put("enable.auto.commit", false);
    consumer = new KafkaConsumer<>(reading, new StringDeserializer(), new ByteArrayDeserializer());
    admin = Admin.create(broker);
    List<TopicPartition> partitions = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      String name = connection.topics().name(topic);
      consumer
          .partitionsFor(name)
          .forEach(info -> partitions.add(new TopicPartition(name, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  void send(Topic topic, String key, byte @Nullable [] value) {
    try {
      producer.send(new ProducerRecord<>(connection.topics().name(topic), key, value)).get();
    } catch (ExecutionException e) {
      throw new KafkaException("a record for " + topic.suffix() + " cannot be written", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  List<ConsumerRecord<String, byte[]>> read() {
    List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> record : consumer.poll(LOOK)) {
      records.add(record);
      boolean processed =
          connection.topics().find(record.topic()).stream()
              .anyMatch(topic -> !Collections.disjoint(topic.readers(), PROCESSORS));
      if (processed) {
        toProcess.put(new TopicPartition(record.topic(), record.partition()), record.offset());
      }
    }
    return records;
  }

  /** Whether everything is read, no transaction is open, and a group has committed all of it. */
  boolean areProcessedBy(String group) {
    try {
      Map<TopicPartition, OffsetSpec> ends =
          consumer.assignment().stream()
              .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
      for (var end : admin.listOffsets(ends).all().get().entrySet()) {
        if (consumer.position(end.getKey()) < end.getValue().offset()) {
          return false;
        }
      }
      Map<TopicPartition, OffsetAndMetadata> committed =
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      return toProcess.entrySet().stream()
          .allMatch(
              last -> {
                OffsetAndMetadata next = committed.get(last.getKey());
                return next != null && next.offset() > last.getValue();
              });
    } catch (ExecutionException e) {
      throw new KafkaException("the broker does not tell how far the topics are processed", e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static KafkaException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new org.apache.kafka.common.errors.InterruptException(e);
  }

  @Override
  public void close() {
    producer.close();
    consumer.close();
    admin.close();
  }
}
