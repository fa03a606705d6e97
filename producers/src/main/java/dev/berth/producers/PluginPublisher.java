package dev.berth.producers;

import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Writes down plugin instances that no worker looks after. An instance without a worker does not
 * fall silent: it stays as it was said to be until somebody says otherwise or removes it. Futures
 * complete when the cluster has the record and fail with {@link WriteFailedException}. Safe for use
 * by many threads.
 */
public final class PluginPublisher implements AutoCloseable {

  private final String topic;
  private final Registry registry;
  private final Serializer<PluginInstance> serializer;
  private final RecordSender sender;

  /** Takes ownership of everything it is given. */
  PluginPublisher(Connection connection, Registry registry, Producer<String, byte[]> producer) {
    this.topic = connection.topics().name(Topic.PLUGINS);
    this.registry = registry;
    this.serializer = AvroSerde.of(registry, PluginInstance.class).serializer();
    this.sender = new RecordSender(producer);
  }

  /**
   * Connects.
   *
   * @throws IllegalArgumentException when a setting cannot be used
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the schema registry does
   *     not answer
   */
  public static PluginPublisher start(Connection connection) {
    Registry registry = Registry.connect(connection.registry());
    try {
      registry.idFor(connection.topics().subject(Topic.PLUGINS), PluginInstance.getClassSchema());
      return new PluginPublisher(
          connection, registry, new KafkaProducer<>(KafkaSettings.producer(connection)));
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  /**
   * Says how an instance is.
   *
   * @throws InvalidEventException when an id is not usable, or it names a worker
   */
  public CompletableFuture<Void> publish(PluginInstance instance) {
    if (!instance.getWorker().isEmpty()) {
      throw new InvalidEventException(
          "worker",
          "'" + instance.getWorker() + "'",
          "a worker reports its instances itself, again and again; leave it empty");
    }
    String key = key(instance.getPlugin(), instance.getRole(), instance.getNode());
    return sender.send(topic, key, serializer.serialize(topic, instance));
  }

  /**
   * Says that there is no such instance any more.
   *
   * @throws InvalidEventException when an id is not usable
   */
  public CompletableFuture<Void> remove(String plugin, PluginRole role, String node) {
    return sender.send(topic, key(plugin, role, node), null);
  }

  @Override
  public void close() {
    sender.close();
    registry.close();
  }

  private static String key(String plugin, PluginRole role, String node) {
    return "%s/%s@%s"
        .formatted(
            FieldRules.id("plugin", plugin),
            role.name().toLowerCase(Locale.ROOT),
            FieldRules.id("node", node));
  }
}
