package dev.berth.streams.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.schemas.registry.Registry;
import dev.berth.streams.intake.GatedClients;
import dev.berth.streams.intake.SchemaGate;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An instance that slept in a punctuation until another had its partitions")
class LostInstanceIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String STORE = "rows";

  @TempDir private Path directory;
  private EmbeddedBroker broker;
  private final CountDownLatch asleep = new CountDownLatch(1);
  private final CountDownLatch awake = new CountDownLatch(1);
  private final CountDownLatch lost = new CountDownLatch(1);

  @BeforeEach
  void start() {
    broker = EmbeddedBroker.start(directory.resolve("broker"));
  }

  @AfterEach
  void stop() {
    awake.countDown();
    broker.close();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"classic", "streams"})
  @DisplayName("writes nothing of what it decided before over what the other has decided")
  void late(String protocol) throws Exception {
    FenceTopic fence = new FenceTopic("lost-" + protocol, 1);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        Registry registry = Registry.connect(Map.of("schema.registry.url", "http://127.0.0.1:1"));
        SchemaGate gate = new SchemaGate(registry, Clock.systemUTC())) {
      admin.createTopics(List.of(new NewTopic("in", 1, (short) 1), fence.toMake())).all().get();
      GatedClients clients = new GatedClients(gate, fence.partition());
      try (KafkaStreams first =
              new KafkaStreams(topology("first", true), settings(fence, protocol, "1"), clients);
          KafkaStreams second =
              new KafkaStreams(
                  topology("second", false), settings(fence, protocol, "2"), clients)) {
        first.start();
        assertThat(asleep.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        second.start();
        await().atMost(PATIENCE).until(() -> row(fence).equals("second"));

        awake.countDown();

        assertThat(lost.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(row(fence)).isEqualTo("second");
      }
    }
  }

  private Topology topology(String name, boolean sleeps) {
    return new Topology()
        .addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "in")
        .addProcessor("writer", () -> new Writer(name, sleeps), "source")
        .addStateStore(
            Stores.keyValueStoreBuilder(
                Stores.inMemoryKeyValueStore(STORE), Serdes.String(), Serdes.String()),
            "writer");
  }

  private Properties settings(FenceTopic fence, String protocol, String instance) {
    Properties settings = new Properties();
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("application.id", fence.applicationId());
    settings.put("group.protocol", protocol);
    settings.put("processing.guarantee", "exactly_once_v2");
    settings.put("replication.factor", "1");
    settings.put("state.dir", directory.resolve(instance).toString());
    settings.put("max.poll.interval.ms", "3000");
    return settings;
  }

  /** What the changelog says of the row, as one who restores the store is told. */
  private String row(FenceTopic fence) {
    TopicPartition partition =
        new TopicPartition(fence.applicationId() + "-" + STORE + "-changelog", 0);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "isolation.level", "read_committed");
    String[] latest = {""};
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> latest[0] = record.value());
      }
    }
    return latest[0];
  }

  /** Writes its name once when it has the partition; one that sleeps, after its sleep. */
  private final class Writer implements Processor<byte[], byte[], byte[], byte[]> {
    private final String name;
    private final boolean sleeps;
    private boolean written;

    Writer(String name, boolean sleeps) {
      this.name = name;
      this.sleeps = sleeps;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      KeyValueStore<String, String> store = context.getStateStore(STORE);
      context.schedule(
          Duration.ofMillis(100),
          PunctuationType.WALL_CLOCK_TIME,
          at -> {
            if (!written) {
              written = true;
              sleep();
              store.put("row", name);
              context.commit();
            }
          });
    }

    private void sleep() {
      if (sleeps) {
        asleep.countDown();
        try {
          awake.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
      throw new IllegalStateException("nothing is sent");
    }

    @Override
    public void close() {
      if (sleeps && written) {
        lost.countDown();
      }
    }
  }
}
