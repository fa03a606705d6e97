package dev.berth.bench.table;

import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.stack.NativeStore;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;

/** The broker and the registry of the bench, in this process. */
final class TableBroker implements AutoCloseable {
  /** Nothing is compacted while it is measured: what is written can be told from what is there. */
  private static final String SEGMENT_BYTES = String.valueOf(1 << 30);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final EmbeddedBroker broker;
  private final EmbeddedRegistry registry;
  private final Registry client;
  private final Admin admin;

  TableBroker() {
    try {
      TemporaryData data = keep(TemporaryData.create("berth-bench-broker", false));
      NativeStore.load(data.path().resolve("native"));
      broker =
          keep(
              EmbeddedBroker.in(data.path().resolve("broker"))
                  .with("log.segment.bytes", SEGMENT_BYTES)
                  // At full speed it may have no time for itself, and is not gone for that.
                  .with("broker.session.timeout.ms", "20000")
                  .start());
      registry = keep(EmbeddedRegistry.start(data.path().resolve("registry")));
      client = keep(Registry.connect(connection(Topics.DEFAULT_PREFIX).registry()));
      admin = keep(Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers())));
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
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("the broker of a bench cannot be closed", e);
      }
    }
  }

  private <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }
}
