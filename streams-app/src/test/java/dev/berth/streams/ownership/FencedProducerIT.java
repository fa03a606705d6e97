package dev.berth.streams.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.embedded.broker.EmbeddedBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A transaction without offsets")
class FencedProducerIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String READ = "read";

  @TempDir private static Path directory;
  private static EmbeddedBroker broker;
  private static Admin admin;

  @BeforeAll
  static void start() throws ExecutionException, InterruptedException {
    broker = EmbeddedBroker.start(directory);
    admin = Admin.create(client());
    admin.createTopics(List.of(new NewTopic(READ, 1, (short) 1))).all().get();
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"classic", "consumer"})
  @DisplayName("is refused to a member that its group has given up")
  void givenUp(String protocol) throws ExecutionException, InterruptedException {
    FenceTopic fence = made("given-up-" + protocol);
    ConsumerGroupMetadata former;
    try (KafkaConsumer<byte[], byte[]> consumer = member(fence, protocol)) {
      former = consumer.groupMetadata();
    }

    try (KafkaConsumer<byte[], byte[]> successor = member(fence, protocol);
        Producer<byte[], byte[]> producer = fenced(fence)) {
      begin(producer, fence);
      assertThatExceptionOfType(CommitFailedException.class)
          .isThrownBy(() -> producer.sendOffsetsToTransaction(Map.of(), former));
      producer.abortTransaction();
      assertThat(successor.assignment()).hasSize(1);
    }

    assertThat(offsets(fence)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"classic", "consumer"})
  @DisplayName("is committed for a member, with an offset on which the group never lags")
  void member(String protocol) throws ExecutionException, InterruptedException {
    FenceTopic fence = made("member-" + protocol);

    try (KafkaConsumer<byte[], byte[]> consumer = member(fence, protocol);
        Producer<byte[], byte[]> producer = fenced(fence)) {
      begin(producer, fence);
      producer.sendOffsetsToTransaction(Map.of(), consumer.groupMetadata());
      producer.commitTransaction();
    }

    assertThat(offsets(fence)).containsExactly(Map.entry(fence.partition(), 0L));
  }

  @Test
  @DisplayName("is refused to a consumer that is no member, as are offsets")
  void noMember() throws ExecutionException, InterruptedException {
    FenceTopic fence = made("no-member");
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(fence, "classic");
        Producer<byte[], byte[]> producer = fenced(fence)) {
      ConsumerGroupMetadata nobody = consumer.groupMetadata();
      begin(producer, fence);
      for (Map<TopicPartition, OffsetAndMetadata> offsets :
          List.of(
              Map.<TopicPartition, OffsetAndMetadata>of(),
              Map.of(new TopicPartition(READ, 0), new OffsetAndMetadata(1)))) {
        assertThatExceptionOfType(CommitFailedException.class)
            .isThrownBy(() -> producer.sendOffsetsToTransaction(offsets, nobody))
            .withMessage("the consumer has lost its place in group no-member");
      }
      producer.abortTransaction();
    }
  }

  @Test
  @DisplayName("is committed by Kafka's own producer for a member that its group has given up")
  void unfenced() throws ExecutionException, InterruptedException {
    FenceTopic fence = made("unfenced");
    ConsumerGroupMetadata former;
    try (KafkaConsumer<byte[], byte[]> consumer = member(fence, "classic")) {
      former = consumer.groupMetadata();
    }

    try (KafkaConsumer<byte[], byte[]> successor = member(fence, "classic");
        Producer<byte[], byte[]> producer =
            new KafkaProducer<>(
                settings(fence), new ByteArraySerializer(), new ByteArraySerializer())) {
      begin(producer, fence);
      producer.sendOffsetsToTransaction(Map.of(), former);
      producer.commitTransaction();
      assertThat(successor.assignment()).hasSize(1);
    }

    assertThat(committed(READ)).contains("of unfenced");
  }

  private static FenceTopic made(String application)
      throws ExecutionException, InterruptedException {
    FenceTopic fence = new FenceTopic(application, -1);
    admin.createTopics(List.of(fence.toMake())).all().get();
    return fence;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(FenceTopic fence, String protocol) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "group.id",
            fence.applicationId(),
            "group.protocol",
            protocol,
            "enable.auto.commit",
            false);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static KafkaConsumer<byte[], byte[]> member(FenceTopic fence, String protocol) {
    KafkaConsumer<byte[], byte[]> consumer = consumer(fence, protocol);
    consumer.subscribe(List.of(READ));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              consumer.poll(Duration.ofMillis(100));
              return !consumer.assignment().isEmpty();
            });
    return consumer;
  }

  private static Producer<byte[], byte[]> fenced(FenceTopic fence) {
    return new FencedProducer(settings(fence), fence.partition());
  }

  private static void begin(Producer<byte[], byte[]> producer, FenceTopic fence) {
    producer.initTransactions();
    producer.beginTransaction();
    producer.send(
        new ProducerRecord<>(
            READ, ("of " + fence.applicationId()).getBytes(StandardCharsets.UTF_8)));
    producer.flush();
  }

  private static Map<TopicPartition, Long> offsets(FenceTopic fence)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    admin
        .listConsumerGroupOffsets(fence.applicationId())
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  private static List<String> committed(String topic) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
    TopicPartition partition = new TopicPartition(topic, 0);
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(record -> values.add(new String(record.value(), StandardCharsets.UTF_8)));
      }
    }
    return values;
  }

  private static Map<String, Object> settings(FenceTopic fence) {
    return Map.of(
        "bootstrap.servers", broker.bootstrapServers(),
        "transactional.id", fence.applicationId());
  }

  private static Map<String, Object> client() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }
}
