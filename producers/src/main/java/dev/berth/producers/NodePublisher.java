package dev.berth.producers;

import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Says what a scheduler knows of its nodes. The latest word about a node stays on the topic; say it
 * again whenever it changes. Futures complete when the cluster has the record and fail with {@link
 * WriteFailedException}. A call may block for some seconds while the cluster is out of reach. Safe
 * for use by many threads.
 */
public final class NodePublisher implements AutoCloseable {

  private final String scheduler;
  private final String topic;
  private final Registry registry;
  private final Serializer<Node> serializer;
  private final RecordSender sender;
  private final Clock clock;

  /** Takes ownership of everything it is given. */
  NodePublisher(SchedulerConfig config, Registry registry, Producer<String, byte[]> producer) {
    this.scheduler = config.schedulerId();
    this.topic = config.connection().topics().name(Topic.NODES);
    this.registry = registry;
    this.serializer = AvroSerde.of(registry, Node.class).serializer();
    this.sender = new RecordSender(producer);
    this.clock = config.clock();
  }

  /**
   * Connects.
   *
   * @throws IllegalArgumentException when a setting cannot be used
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the schema registry does
   *     not answer
   */
  public static NodePublisher start(SchedulerConfig config) {
    Connection connection = config.connection();
    Registry registry = Registry.connect(connection.registry());
    try {
      registry.idFor(connection.topics().subject(Topic.NODES), Node.getClassSchema());
      return new NodePublisher(
          config, registry, new KafkaProducer<>(KafkaSettings.producer(connection)));
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  /**
   * Says how a node is.
   *
   * @param node node id, no slash
   * @param status its status
   * @param eligible whether the scheduler places new work there
   * @throws InvalidEventException naming field, value and remedy
   */
  public CompletableFuture<Void> publish(String node, NodeStatus status, boolean eligible) {
    FieldRules.id("node", node);
    FieldRules.known("status", status);
    Node value =
        new Node(node, scheduler, status, eligible, clock.instant().truncatedTo(ChronoUnit.MILLIS));
    return sender.send(topic, node, serializer.serialize(topic, value));
  }

  /**
   * Says that a node was deleted: its claims end.
   *
   * @param node node id, no slash
   * @throws InvalidEventException naming field, value and remedy
   */
  public CompletableFuture<Void> remove(String node) {
    return sender.send(topic, FieldRules.id("node", node), null);
  }

  @Override
  public void close() {
    sender.close();
    registry.close();
  }
}
