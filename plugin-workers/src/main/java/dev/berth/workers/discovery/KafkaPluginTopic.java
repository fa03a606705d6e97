package dev.berth.workers.discovery;

import dev.berth.records.PluginInstance;
import dev.berth.schemas.topics.Topic;
import dev.berth.workers.kafka.KafkaClients;
import dev.berth.workers.kafka.LatestRecords;
import dev.berth.workers.kafka.TopicEnd;
import dev.berth.workers.outcome.ReportWriter;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;

/** The topic {@code plugins} on the cluster; read once, when it is first asked for. */
public final class KafkaPluginTopic implements PluginTopic {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaClients kafka;
  private final ReportWriter reports;
  private final Serde<PluginInstance> serde;
  private final Clocks clocks;
  private @Nullable Map<String, PluginInstance> earlier;

  /**
   * @param kafka makes the reader
   * @param reports writes reports
   * @param serde reads and writes the records
   * @param clocks clocks of the process
   */
  public KafkaPluginTopic(
      KafkaClients kafka, ReportWriter reports, Serde<PluginInstance> serde, Clocks clocks) {
    this.kafka = kafka;
    this.reports = reports;
    this.serde = serde;
    this.clocks = clocks;
  }

  @Override
  public CompletableFuture<Void> publish(String key, PluginInstance instance) {
    return reports.write(name(), key, instance, serde.serializer());
  }

  @Override
  public synchronized Optional<PluginInstance> last(String key) {
    Map<String, PluginInstance> known = earlier;
    if (known == null) {
      try (Consumer<String, byte[]> reader = kafka.reader()) {
        TopicEnd end = new TopicEnd(kafka::highWatermarks, PATIENCE, clocks);
        known = LatestRecords.read(name(), reader, end, serde.deserializer());
      }
      earlier = known;
    }
    return Optional.ofNullable(known.get(key));
  }

  private String name() {
    return kafka.topics().name(Topic.PLUGINS);
  }
}
