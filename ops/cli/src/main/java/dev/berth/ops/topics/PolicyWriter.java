package dev.berth.ops.topics;

import dev.berth.producers.Author;
import dev.berth.producers.Connection;
import dev.berth.records.Policy;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Writes policies. */
public final class PolicyWriter implements AutoCloseable {

  private final String topic;
  private final Registry registry;
  private final Serializer<Policy> serializer;
  private final KafkaProducer<String, byte[]> producer;
  private final Clock clock;

  /** Connects. */
  public PolicyWriter(Connection connection, Clock clock) {
    this.topic = connection.topics().name(Topic.POLICIES);
    this.registry = Registry.connect(connection.registry());
    this.serializer = AvroSerde.of(registry, Policy.class).serializer();
    this.clock = clock;
    Map<String, Object> settings = new LinkedHashMap<>(connection.kafka());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("acks", "all");
    settings.put("linger.ms", 0);
    this.producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer());
  }

  /**
   * Sets a policy and returns when it is written. Nothing is checked: Berth rejects what it cannot
   * use.
   *
   * @param name {@code default}, {@code plugin/<id>} or {@code volume/<namespace>/<volume>}
   * @param settings by policy key; replaces all that the policy had
   * @param author who sets it, and why
   * @throws KafkaException when it could not be written
   */
  public void set(String name, Map<String, String> settings, Author author)
      throws InterruptedException {
    Policy policy =
        new Policy(
            name,
            settings,
            author.by(),
            author.reason(),
            clock.instant().truncatedTo(ChronoUnit.MILLIS));
    write(name, serializer.serialize(topic, policy));
  }

  /**
   * Withdraws a policy and returns when that is written. No record of who and why is left.
   *
   * @throws KafkaException when it could not be written
   */
  public void withdraw(String name) throws InterruptedException {
    write(name, null);
  }

  private void write(String name, byte @Nullable [] value) throws InterruptedException {
    try {
      producer.send(new ProducerRecord<>(topic, name, value)).get();
    } catch (ExecutionException e) {
      throw new KafkaException("policy " + name + " could not be written", e.getCause());
    }
  }

  @Override
  public void close() {
    producer.close();
    registry.close();
  }
}
