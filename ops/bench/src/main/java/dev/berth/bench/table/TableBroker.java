package dev.berth.bench.table;

import dev.berth.bench.system.Parts;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.stack.NativeStore;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;

/** The broker and the registry of the bench, in this process. */
final class TableBroker implements AutoCloseable {
  /** Nothing is compacted while it is measured: what is written can be told from what is there. */
  private static final String SEGMENT_BYTES = String.valueOf(1 << 30);

  private final Parts parts = new Parts("the broker of a bench");
  private final EmbeddedBroker broker;
  private final EmbeddedRegistry registry;
  private final Registry client;
  private final Admin admin;

  TableBroker() {
    try {
      TemporaryData data = parts.keep(TemporaryData.create("berth-bench-broker", false));
      NativeStore.load(data.path().resolve("native"));
      broker =
          parts.keep(
              EmbeddedBroker.in(data.path().resolve("broker"))
                  .with("log.segment.bytes", SEGMENT_BYTES)
                  // At full speed it may have no time for itself, and is not gone for that.
                  .with("broker.session.timeout.ms", "20000")
                  .start());
      registry = parts.keep(EmbeddedRegistry.start(data.path().resolve("registry")));
      client = parts.keep(Registry.connect(connection(Topics.DEFAULT_PREFIX).registry()));
      admin = parts.keep(Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers())));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** How clients reach the topics with a prefix. */
  Connection connection(String prefix) {
    return Connection.to(broker.bootstrapServers(), registry.url()).withPrefix(prefix);
  }

  /** The registry. */
  Registry registry() {
    return client;
  }

  /** What the topics of a deployment hold, its changelogs among them (bytes). */
  long bytes(Deployment deployment) throws InterruptedException {
    try {
      return admin.describeLogDirs(List.of(1)).allDescriptions().get().values().stream()
          .flatMap(directories -> directories.values().stream())
          .map(LogDirDescription::replicaInfos)
          .flatMap(replicas -> replicas.entrySet().stream())
          .filter(replica -> of(deployment, replica.getKey().topic()))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker does not tell how large its logs are", e);
    }
  }

  private static boolean of(Deployment deployment, String topic) {
    return topic.startsWith(deployment.connection().topics().prefix() + ".")
        || topic.startsWith(deployment.application() + "-");
  }

  @Override
  public void close() {
    parts.close();
  }
}
