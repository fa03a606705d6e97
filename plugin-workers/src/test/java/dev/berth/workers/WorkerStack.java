package dev.berth.workers;

import static org.awaitility.Awaitility.await;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.NodeView;
import dev.berth.records.OpenAttempt;
import dev.berth.records.Outcome;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.config.PluginRoles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Broker, registry and topics for workers, and a hand that does what Streams would do. */
public final class WorkerStack implements AutoCloseable {

  private static final Topics TOPICS = Topics.withDefaultPrefix();

  private final EmbeddedBroker broker;
  private final EmbeddedRegistry registryServer;
  private final Registry registry;
  private final KafkaProducer<String, byte[]> producer;
  private final KafkaConsumer<String, byte[]> reader;

  private WorkerStack(Path directory, Map<String, String> brokerSettings) {
    EmbeddedBroker.Builder builder = EmbeddedBroker.in(directory.resolve("broker"));
    brokerSettings.forEach(builder::with);
    broker = builder.start();
    registryServer = EmbeddedRegistry.start(directory.resolve("registry"));
    registry = Registry.connect(Map.of("schema.registry.url", registryServer.url()));
    try (Admin admin = Admin.create(client())) {
      new Provisioning(TOPICS, Layout.replicated(1), admin).run(registry);
    }
    Map<String, Object> writing = client();
    writing.put("transactional.id", "streams");
    writing.put("linger.ms", 0);
    producer = new KafkaProducer<>(writing, new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    Map<String, Object> reading = client();
    reading.put("isolation.level", "read_committed");
    reading.put("auto.offset.reset", "earliest");
    reader = new KafkaConsumer<>(reading, new StringDeserializer(), new ByteArrayDeserializer());
  }

  public static WorkerStack start(Path directory) {
    return start(directory, Map.of());
  }

  public static WorkerStack start(Path directory, Map<String, String> brokerSettings) {
    return new WorkerStack(directory, brokerSettings);
  }

  /** The settings of a worker here, without its endpoints. */
  public Map<String, String> workerSettings(String worker) {
    Map<String, String> settings = new HashMap<>();
    settings.put("worker.id", worker);
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("schema.registry.url", registryServer.url());
    return settings;
  }

  /** Dispatches work, as Streams does. */
  public synchronized void dispatch(Work... works) {
    producer.beginTransaction();
    for (Work work : works) {
      send(work);
    }
    producer.commitTransaction();
  }

  /** Dispatches work together with the lane status that shows it, as Streams does. */
  synchronized void dispatch(LaneStatus status, Work... works) {
    producer.beginTransaction();
    tell(status);
    for (Work work : works) {
      send(work);
    }
    producer.commitTransaction();
  }

  /** Each attempt that waits has a record of its own, in the partition of its plugin. */
  private void tell(LaneStatus status) {
    int partition =
        Keys.partition(
            status.getPlugin(), producer.partitionsFor(TOPICS.name(Topic.LANE_STATUS)).size());
    List<OpenAttempt> accepted = new ArrayList<>(status.getOpen());
    accepted.removeIf(open -> open.getAcceptanceId().isEmpty());
    for (OpenAttempt open : status.getOpen()) {
      if (open.getAcceptanceId().isEmpty()) {
        LaneStatus waiting = LaneStatus.newBuilder(status).setOpen(List.of(open)).build();
        send(Topic.LANE_STATUS, partition, open.getWork().getAttemptId(), waiting);
      }
    }
    LaneStatus ofPlugin = LaneStatus.newBuilder(status).setOpen(accepted).build();
    send(Topic.LANE_STATUS, partition, status.getPlugin(), ofPlugin);
  }

  /** Writes work into a partition that its key does not lead to, as a writer with old metadata. */
  synchronized void dispatchInto(int partition, Work work) {
    producer.beginTransaction();
    Topic topic = topicOf(work);
    send(topic, partition, keyOf(work), work);
    producer.commitTransaction();
  }

  /** Gives a topic more partitions, and waits until the writer of this stack has noticed. */
  synchronized void morePartitions(Topic topic, int count) {
    String name = TOPICS.name(topic);
    try (Admin admin = Admin.create(client())) {
      admin.createPartitions(Map.of(name, NewPartitions.increaseTo(count))).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    await()
        .until(
            () ->
                producer.partitionsFor(name).size() == count
                    && reader.partitionsFor(name).size() == count);
  }

  /** Says what a node is, as Streams does. */
  synchronized void tell(NodeView view) {
    producer.beginTransaction();
    send(Topic.NODE_VIEWS, view.getNode(), view);
    producer.commitTransaction();
  }

  /** Outcomes of a plugin so far, in order. */
  List<Outcome> outcomes(String plugin) {
    return read(Topic.WORK_OUTCOMES, Outcome.class).stream()
        .filter(each -> each.getPlugin().equals(plugin))
        .toList();
  }

  /** Acceptances of a plugin's work so far, in order. */
  public List<Acceptance> acceptances(String plugin) {
    return read(Topic.WORK_ACCEPTANCES, Acceptance.class).stream()
        .filter(each -> each.getPlugin().equals(plugin))
        .toList();
  }

  /** What was published of a plugin's instances so far, in order. */
  List<PluginInstance> instances(String plugin) {
    return read(Topic.PLUGINS, PluginInstance.class).stream()
        .filter(each -> each.getPlugin().equals(plugin))
        .toList();
  }

  /** Pages of a plugin's listings so far, in order. */
  List<PluginListing> listings(String plugin) {
    return read(Topic.PLUGIN_LISTINGS, PluginListing.class).stream()
        .filter(each -> each.getPlugin().equals(plugin))
        .toList();
  }

  /** Whether the group of a route has begun everywhere: it has offsets for all its partitions. */
  public boolean hasBegun(String route, int partitions) {
    try (Admin admin = Admin.create(client())) {
      String group = TOPICS.prefix() + "." + route;
      return admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().size()
          == partitions;
    } catch (ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Members of the group of a route. */
  public int members(String route) {
    try (Admin admin = Admin.create(client())) {
      String group = TOPICS.prefix() + "." + route;
      return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
          .mapToInt(description -> description.members().size())
          .sum();
    } catch (ExecutionException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
    reader.close();
    registry.close();
    registryServer.close();
    broker.close();
  }

  private void send(Work work) {
    send(topicOf(work), keyOf(work), work);
  }

  private static Topic topicOf(Work work) {
    return isOfController(work) ? Topic.PLUGIN_WORK : Topic.NODE_WORK;
  }

  private static String keyOf(Work work) {
    return isOfController(work) ? work.getPlugin() : work.getInstanceNode();
  }

  private static boolean isOfController(Work work) {
    return PluginRoles.serving(work.getCalls().get(0).getCall().getRpc()) == PluginRole.CONTROLLER;
  }

  private <T extends SpecificRecord> void send(Topic topic, String key, T value) {
    send(topic, null, key, value);
  }

  private <T extends SpecificRecord> void send(
      Topic topic, Integer partition, String key, T value) {
    String name = TOPICS.name(topic);
    @SuppressWarnings("unchecked")
    AvroSerde<T> serde = AvroSerde.of(registry, (Class<T>) value.getClass());
    var unused =
        producer.send(
            new ProducerRecord<>(name, partition, key, serde.serializer().serialize(name, value)));
  }

  private synchronized <T extends SpecificRecord> List<T> read(Topic topic, Class<T> type) {
    String name = TOPICS.name(topic);
    AvroSerde<T> serde = AvroSerde.of(registry, type);
    List<TopicPartition> partitions =
        reader.partitionsFor(name).stream()
            .map(info -> new TopicPartition(name, info.partition()))
            .toList();
    reader.assign(partitions);
    reader.seekToBeginning(partitions);
    Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
    List<T> values = new ArrayList<>();
    while (partitions.stream().anyMatch(p -> reader.position(p) < ends.getOrDefault(p, 0L))) {
      reader
          .poll(Duration.ofMillis(50))
          .forEach(record -> values.add(serde.deserializer().deserialize(name, record.value())));
    }
    return values;
  }

  private Map<String, Object> client() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("metadata.max.age.ms", 1_000);
    return settings;
  }
}
