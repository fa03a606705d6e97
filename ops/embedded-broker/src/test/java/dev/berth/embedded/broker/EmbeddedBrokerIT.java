package dev.berth.embedded.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("Embedded broker")
class EmbeddedBrokerIT {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedBrokerIT.class);
  private static final TopicPartition PARTITION = new TopicPartition("events", 0);

  @TempDir Path directory;

  @Test
  @DisplayName("keeps records, offsets and address over a restart")
  void restart() throws Exception {
    String address;
    try (EmbeddedBroker broker = start()) {
      address = broker.bootstrapServers();
      createTopic(broker);
      produce(broker, "a", "b");
      commit(broker, 1);
    }

    try (EmbeddedBroker broker = start()) {
      assertThat(broker.bootstrapServers()).isEqualTo(address);
      produce(broker, "c");
      assertThat(read(broker, 3)).containsExactly("a", "b", "c");
      assertThat(committed(broker)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("takes another port when the last one is taken, or says so when it was asked for")
  void takenPort() throws Exception {
    int last;
    try (EmbeddedBroker broker = start()) {
      last = broker.port();
    }
    try (ServerSocket other = new ServerSocket(last, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> EmbeddedBroker.in(directory).port(other.getLocalPort()).start())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("port " + last + " is in use");
      try (EmbeddedBroker broker = start()) {
        assertThat(broker.port()).isNotEqualTo(last);
        createTopic(broker);
      }
    }
  }

  @Test
  @DisplayName("refuses a directory that another broker uses")
  void usedDirectory() {
    try (EmbeddedBroker broker = start()) {
      assertThatThrownBy(() -> EmbeddedBroker.start(directory))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(directory.toString());

      assertThat(broker.bootstrapServers()).startsWith("127.0.0.1:");
    }
  }

  @Test
  @DisplayName("commits and aborts transactions, by the second version of their protocol")
  void transactions() throws Exception {
    try (EmbeddedBroker broker = start()) {
      createTopic(broker);
      try (KafkaProducer<String, String> producer =
          producer(broker, Map.of("transactional.id", "t"))) {
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("events", "k", "aborted"));
        producer.abortTransaction();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("events", "k", "committed"));
        producer.commitTransaction();
      }

      assertThat(read(broker, 1)).containsExactly("committed");
      try (Admin admin = admin(broker)) {
        assertThat(
                admin
                    .describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures()
                    .get("transaction.version")
                    .maxVersionLevel())
            .isEqualTo((short) 2);
      }
    }
  }

  @Test
  @DisplayName("makes no topic that nobody asked for")
  void noTopicByAccident() {
    try (EmbeddedBroker broker = start();
        KafkaProducer<String, String> producer = producer(broker, Map.of("max.block.ms", "500"))) {
      assertThatThrownBy(() -> producer.send(new ProducerRecord<>("typo", "v")).get())
          .isInstanceOf(ExecutionException.class);
      try (Admin admin = admin(broker)) {
        assertThatThrownBy(() -> admin.describeTopics(List.of("typo")).allTopicNames().get())
            .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
      }
    }
  }

  @Test
  @DisplayName("runs beside another broker in the same process")
  void twoBrokers(@TempDir Path other) throws Exception {
    try (EmbeddedBroker first = start();
        EmbeddedBroker second = EmbeddedBroker.start(other)) {
      createTopic(first);
      createTopic(second);
      produce(first, "first");
      produce(second, "second");

      assertThat(read(first, 1)).containsExactly("first");
      assertThat(read(second, 1)).containsExactly("second");
    }
  }

  private EmbeddedBroker start() {
    EmbeddedBroker broker = EmbeddedBroker.start(directory);
    log.info("start took_ms={}", broker.startedIn().toMillis());
    return broker;
  }

  private static void createTopic(EmbeddedBroker broker) throws Exception {
    try (Admin admin = admin(broker)) {
      admin.createTopics(List.of(new NewTopic("events", 1, (short) 1))).all().get();
    }
  }

  private static void produce(EmbeddedBroker broker, String... values) throws Exception {
    try (KafkaProducer<String, String> producer = producer(broker, Map.of())) {
      for (String value : values) {
        producer.send(new ProducerRecord<>("events", "k", value)).get();
      }
    }
  }

  private static void commit(EmbeddedBroker broker, long offset) {
    try (KafkaConsumer<String, String> consumer = consumer(broker)) {
      consumer.commitSync(Map.of(PARTITION, new OffsetAndMetadata(offset)));
    }
  }

  private static long committed(EmbeddedBroker broker) {
    try (KafkaConsumer<String, String> consumer = consumer(broker)) {
      return consumer.committed(Set.of(PARTITION)).get(PARTITION).offset();
    }
  }

  private static List<String> read(EmbeddedBroker broker, int count) {
    List<String> values = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer = consumer(broker)) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      await()
          .until(
              () -> {
                for (ConsumerRecord<String, String> record :
                    consumer.poll(Duration.ofMillis(100))) {
                  values.add(record.value());
                }
                return values.size() >= count;
              });
    }
    return values;
  }

  private static Admin admin(EmbeddedBroker broker) {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static KafkaProducer<String, String> producer(
      EmbeddedBroker broker, Map<String, Object> settings) {
    Map<String, Object> all = new HashMap<>(settings);
    all.put("bootstrap.servers", broker.bootstrapServers());
    return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
  }

  private static KafkaConsumer<String, String> consumer(EmbeddedBroker broker) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "group.id",
            "readers",
            "enable.auto.commit",
            "false",
            "isolation.level",
            "read_committed"),
        new StringDeserializer(),
        new StringDeserializer());
  }
}
