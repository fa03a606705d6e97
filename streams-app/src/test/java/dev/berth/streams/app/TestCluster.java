package dev.berth.streams.app;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A real broker and registry in this process, with few partitions. */
final class TestCluster implements AutoCloseable {
  static final int VOLUME_PARTITIONS = 2;
  static final int LANE_PARTITIONS = 3;

  private static final Layout LAYOUT =
      new Layout(
          1,
          Map.of(
              Partitioning.VOLUME, VOLUME_PARTITIONS,
              Partitioning.LANE, LANE_PARTITIONS,
              Partitioning.PLUGIN, 1,
              Partitioning.NODE, 1,
              Partitioning.KEY, 1));

  private final Path directory;
  private final EmbeddedBroker broker;
  private final Admin admin;
  private EmbeddedRegistry registry;

  TestCluster(Path directory) {
    this.directory = directory;
    broker = EmbeddedBroker.start(directory.resolve("broker"));
    registry = EmbeddedRegistry.start(directory);
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  Admin admin() {
    return admin;
  }

  void provision(Topics topics) {
    try (Registry client = client()) {
      new Provisioning(topics, LAYOUT, admin).run(client);
    }
  }

  Registry client() {
    return Registry.connect(Map.of("schema.registry.url", registry.url()));
  }

  void stopRegistry() {
    registry.close();
  }

  /** Starts it again at its former address. */
  void startRegistry() {
    registry = EmbeddedRegistry.start(directory, registry.port());
  }

  AppConfig config(Topics topics, Path state, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("schema.registry.url", registry.url());
    settings.put("topic.prefix", topics.prefix());
    settings.put("state.dir", state.toString());
    settings.putIfAbsent("standby.replicas", "0");
    settings.putIfAbsent("threads", "1");
    settings.putIfAbsent("api.listen", "127.0.0.1:0");
    return AppConfig.parse(settings);
  }

  <A extends SpecificRecord> void put(
      Topics topics, Topic topic, String key, A value, Class<A> type)
      throws ExecutionException, InterruptedException {
    try (Registry client = client();
        KafkaProducer<String, A> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringSerializer(),
                AvroSerde.of(client, type).serializer())) {
      producer.send(new ProducerRecord<>(topics.name(topic), key, value)).get();
    }
  }

  /** Puts a record without a key into a partition. */
  <A extends SpecificRecord> void put(
      Topics topics, Topic topic, int partition, A value, Class<A> type)
      throws ExecutionException, InterruptedException {
    try (Registry client = client();
        KafkaProducer<String, A> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers()),
                new StringSerializer(),
                AvroSerde.of(client, type).serializer())) {
      producer.send(new ProducerRecord<>(topics.name(topic), partition, null, value)).get();
    }
  }

  /** Sends records as they are, in their order, and waits until the broker has them. */
  void send(List<ProducerRecord<byte[], byte[]>> records)
      throws ExecutionException, InterruptedException {
    // The library's own limit is not what is tested here.
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "max.request.size", 16_777_216);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ProducerRecord<byte[], byte[]> record : records) {
        producer.send(record).get();
      }
    }
  }

  /** Everything that is committed on a topic now. */
  <A extends SpecificRecord> List<ConsumerRecord<String, A>> read(
      Topics topics, Topic topic, Class<A> type) {
    try (Registry client = client()) {
      return read(topics, topic, AvroSerde.of(client, type).deserializer());
    }
  }

  /** Everything that is committed on a topic now, by a deserializer of the test's own. */
  <A> List<ConsumerRecord<String, A>> read(Topics topics, Topic topic, Deserializer<A> values) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
    try (KafkaConsumer<String, A> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), values)) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topics.name(topic)).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<String, A>> records = new ArrayList<>();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  @Override
  public void close() {
    admin.close();
    registry.close();
    broker.close();
  }
}
