package dev.berth.bench.table;

import dev.berth.bench.table.Footprint.Row;
import dev.berth.bench.table.TableVolume.Kind;
import dev.berth.ops.stack.Readiness;
import dev.berth.producers.Connection;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.PluginPublisher;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginInstance;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.streams.topology.Changelogs;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Topics under a prefix of their own.
 *
 * @param connection how clients reach them
 * @param kinds kinds of volumes that Berth is told the plugins of
 */
record Deployment(Connection connection, List<Kind> kinds) {
  private static final Layout LAYOUT = Layout.replicated(1);

  /** Its application's id, with which changelogs begin. */
  String application() {
    return connection.topics().prefix() + "-streams";
  }

  /** Makes the topics and the changelogs, and their schemas in the registry. */
  void provision(Registry registry) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()))) {
      Map<String, Integer> unused = registry.provision(Changelogs.subjects(application()));
      // As Kafka Streams would make them: so they can be written to before its first start.
      List<NewTopic> changelogs =
          Arrays.stream(BareHop.Part.values())
              .map(part -> new NewTopic(changelog(part), partitions(part), (short) 1))
              .map(topic -> topic.configs(Map.of("cleanup.policy", "compact")))
              .toList();
      admin.createTopics(changelogs).all().get();
      new Provisioning(connection.topics(), LAYOUT, admin).run(registry);
    } catch (ExecutionException e) {
      throw new IllegalStateException("changelogs cannot be made: " + e.getCause(), e);
    }
  }

  private String changelog(BareHop.Part part) {
    return application() + "-" + part.store() + "-changelog";
  }

  private static int partitions(BareHop.Part part) {
    return LAYOUT.count(part.partitioning());
  }

  /**
   * Tells Berth of the node and the plugins, and returns when it has heard and is closed again. To
   * be done before there is a table: what is new of a node has all claims there looked at, and here
   * that is nearly all there are.
   */
  void introduceFleet() throws InterruptedException {
    publishFleet();
    try (Application unused = Application.berth(connection)) {
      new Readiness(connection, application()).await(Fleet.asStack(kinds));
    }
  }

  private void publishFleet() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    try (PluginPublisher plugins = PluginPublisher.start(connection);
        NodePublisher nodes =
            NodePublisher.start(SchedulerConfig.of(Events.SCHEDULER, connection))) {
      List<CompletableFuture<Void>> written = new ArrayList<>();
      written.add(nodes.publish(TableVolume.NODE, NodeStatus.READY, true));
      for (PluginInstance instance : Fleet.all(kinds, now)) {
        written.add(plugins.publish(instance));
      }
      CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new)).join();
    }
  }

  /** Volumes of a table, and which of them an alloc has. */
  interface Table {
    /** Whether the alloc of this volume has it all the while. */
    boolean claimed(int number);
  }

  /**
   * Writes the rows of volumes into the changelogs, as Berth would have written them. The
   * application must not run; it finds them when it restores its stores.
   *
   * @param size volumes (count)
   * @return rows written (count)
   */
  long fill(Footprint life, int size, Table table) {
    List<Cut> registered = life.registered().stream().map(row -> cut(row, life)).toList();
    List<Cut> claimed = life.claimed().stream().map(row -> cut(row, life)).toList();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            connection.bootstrapServers(),
            "linger.ms",
            20,
            // A row that is written twice is the same row.
            "enable.idempotence",
            false,
            "batch.size",
            262_144);
    long rows = 0;
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
      List<Exception> failures = new ArrayList<>();
      for (int number = 0; number < size; number++) {
        TableVolume volume = new TableVolume(life.sample().kind(), number);
        for (Cut row : table.claimed(number) ? claimed : registered) {
          Future<RecordMetadata> unused =
              producer.send(
                  row.of(volume),
                  (written, failure) -> {
                    if (failure != null) {
                      failures.add(failure);
                    }
                  });
          rows++;
        }
      }
      producer.flush();
      if (!failures.isEmpty()) {
        throw new IllegalStateException("rows were not written", failures.get(0));
      }
    }
    return rows;
  }

  /** A row that is written for each volume. */
  private record Cut(
      String changelog, BareHop.Part part, int partitions, KeyStencil key, Stencil value) {
    ProducerRecord<String, byte[]> of(TableVolume volume) {
      return new ProducerRecord<>(
          changelog, part.partition(volume, partitions), key.of(volume), value.of(volume));
    }
  }

  private Cut cut(Row row, Footprint life) {
    BareHop.Part part = BareHop.Part.of(row.store()).orElseThrow();
    return new Cut(
        changelog(part),
        part,
        partitions(part),
        new KeyStencil(row.key(), life.names()),
        new Stencil(row.value()::clone, life.names()));
  }
}
