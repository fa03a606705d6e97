package dev.berth.ops.live;

import dev.berth.driver.calls.CallLog;
import dev.berth.driver.script.Director;
import dev.berth.ops.scenario.LiveSystem;
import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StreamsPart;
import dev.berth.producers.Connection;
import dev.berth.records.PluginInstance;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.Worker;
import dev.berth.workers.config.WorkerConfig;
import dev.berth.workers.config.WorkerRole;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Berth for one scenario, on a broker and a registry that others share. */
final class LiveBerth implements LiveSystem {

  private static final Logger log = LoggerFactory.getLogger(LiveBerth.class);

  private static final int OPEN_CALLS = 1_000;

  /** The file says how instances fare: nobody looks for it again by himself. */
  private static final Duration NEVER = Duration.ofDays(30);

  /** A call that the file has left open is of no interest to anybody at the end. */
  private static final Duration DRAIN = Duration.ofMillis(1);

  private final Connection connection;
  private final Path directory;
  private final LiveSecrets secrets;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final Registry registry;
  private final LiveDrivers drivers;
  private final LiveTopics topics;
  private @Nullable StreamsPart streams;
  private boolean driven;
  private @Nullable Worker worker;

  private LiveBerth(
      Connection connection,
      Path directory,
      Set<Instance> instances,
      Director director,
      InstantSource clock) {
    this.connection = connection;
    this.directory = directory;
    try {
      Files.createDirectories(directory);
      secrets = new LiveSecrets(directory.resolve("secrets.properties"));
      registry = keep(Registry.connect(connection.registry()));
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", connection.bootstrapServers()))) {
        new Provisioning(connection.topics(), EmbeddedStack.LAYOUT, admin).run(registry);
      }
      drivers = keep(new LiveDrivers(directory, instances, director, clock));
      topics = keep(new LiveTopics(connection));
      streams = StreamsPart.start(connection, directory.resolve("streams"), 0);
    } catch (IOException e) {
      close();
      throw new UncheckedIOException("directory of a live scenario: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Starts one and returns when its Streams application runs. The worker is started with the first
   * driver.
   */
  static LiveBerth start(
      Connection connection,
      Path directory,
      Set<Instance> instances,
      Director director,
      InstantSource clock) {
    return new LiveBerth(connection, directory, instances, director, clock);
  }

  @Override
  public Topics topics() {
    return connection.topics();
  }

  @Override
  public Registry registry() {
    return registry;
  }

  @Override
  public CallLog calls() {
    return drivers.calls();
  }

  @Override
  public void send(Topic topic, String key, byte @Nullable [] value) {
    topics.send(topic, key, value);
  }

  @Override
  public List<ConsumerRecord<String, byte[]>> read() {
    if (driven && worker == null) {
      drivers.startOthers();
      worker = keep(startWorker());
    }
    return topics.read();
  }

  @Override
  public boolean hasProcessed() {
    return topics.areProcessedBy(Objects.requireNonNull(streams).group());
  }

  @Override
  public Stream<String> metrics() {
    return ProcessMetrics.all();
  }

  @Override
  public void run(PluginInstance instance) {
    drivers.run(instance);
    driven = true;
  }

  private Worker startWorker() {
    Worker started =
        new Worker(
            new WorkerConfig(
                "live-worker",
                new WorkerRole.Everything(),
                connection.bootstrapServers(),
                connection.registry(),
                connection.topics(),
                drivers.endpoints(),
                OPEN_CALLS,
                directory.resolve("mounts"),
                NEVER,
                NEVER,
                DRAIN,
                OptionalInt.empty(),
                Map.of(),
                Map.of()));
    started.start();
    return started;
  }

  @Override
  public String secretReference(String name) {
    return secrets.reference(name);
  }

  @Override
  public void secret(String name, @Nullable String value) {
    secrets.set(name, value);
  }

  @Override
  public void restartStreams() {
    Objects.requireNonNull(streams).close();
    streams = StreamsPart.start(connection, directory.resolve("streams-again"), 0);
  }

  @Override
  public void close() {
    if (streams != null) {
      streams.close();
    }
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.warn("closing failed part={}", part, e);
      }
    }
  }

  private <T extends AutoCloseable> T keep(T part) {
    parts.push(part);
    return part;
  }
}
