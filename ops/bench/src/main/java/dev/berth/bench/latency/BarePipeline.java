package dev.berth.bench.latency;

import dev.berth.bench.load.Pacer;
import dev.berth.bench.system.BenchVolume;
import dev.berth.bench.system.Parts;
import dev.berth.ops.stack.StreamsPart;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Connection;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Unmounted;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.KafkaStreams;

/**
 * The bare pipeline: the scheduler's own library, {@link BareTopology} with the settings of Berth's
 * application, {@link BareWorker}. What it takes, Kafka takes; the rest is Berth's.
 */
final class BarePipeline implements Pipeline, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Parts parts = new Parts("the bare pipeline");
  private final Scheduler scheduler;
  private final AvroSerde<AllocEvent> events;
  private final Pacer clock = Pacer.system();

  /** When the claim, or the end, of an alloc was due. */
  private final Map<Key, Long> due = new ConcurrentHashMap<>();

  private volatile LatencyRun.Notes notes = new LatencyRun.Notes();

  private record Key(Way way, String alloc) {}

  /**
   * Starts it beside a Berth.
   *
   * @param berth a deployment on the same brokers
   * @param threads stream threads (count)
   */
  BarePipeline(Connection berth, int threads) throws InterruptedException {
    Connection connection = berth.withPrefix("bare");
    try {
      Registry registry = parts.keep(Registry.connect(connection.registry()));
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()))) {
        new Provisioning(connection.topics(), Layout.replicated(1), admin).run(registry);
      }
      events = AvroSerde.of(registry, AllocEvent.class);
      TemporaryData data = parts.keep(TemporaryData.create("berth-bench-bare", false));
      KafkaStreams streams = parts.keep(streams(connection, data, threads));
      streams.start();
      parts.keep(new BareWorker(connection, this::accepted));
      scheduler = parts.keep(Scheduler.start(SchedulerConfig.of("bare", connection)));
      awaitRunning(streams);
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  private static KafkaStreams streams(Connection connection, TemporaryData data, int threads) {
    Map<String, String> settings = StreamsPart.settings(connection, data.path(), threads);
    return new KafkaStreams(
        BareTopology.build(connection.topics(), BarePipeline::plugin),
        KafkaSettings.streams(AppConfig.parse(settings)));
  }

  /** The plugin that the name of a volume begins with. */
  private static String plugin(String key) {
    return key.substring(key.indexOf('/') + 1, key.indexOf('.'));
  }

  private static void awaitRunning(KafkaStreams streams) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (streams.state() != KafkaStreams.State.RUNNING) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the bare pipeline does not run: " + streams.state());
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
  }

  @Override
  public LatencyRun run(Lives lives, List<BenchVolume> volumes) throws InterruptedException {
    LatencyRun.Notes noted = new LatencyRun.Notes(Way.ATTACH, Way.DETACH);
    notes = noted;
    Duration late =
        Pipeline.send(
            lives,
            volumes,
            scheduler,
            (way, volume, at) -> due.put(new Key(way, volume.alloc()), at));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!due.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%d events did not come through the bare pipeline".formatted(due.size()));
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
    return noted.run(late);
  }

  private void accepted(ConsumerRecord<String, byte[]> record) {
    long now = clock.now();
    AllocEvent event = events.deserializer().deserialize(record.topic(), record.value());
    Way way = way(event.getBody());
    Long since = way == null ? null : due.remove(new Key(way, event.getAlloc()));
    if (way != null && since != null) {
      notes.add(way, Duration.ofNanos(now - since));
    }
  }

  private static @org.jspecify.annotations.Nullable Way way(Object body) {
    return body instanceof ClaimRequested
        ? Way.ATTACH
        : body instanceof Unmounted ? Way.DETACH : null;
  }

  @Override
  public void close() {
    parts.close();
  }
}
