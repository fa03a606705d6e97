package dev.berth.ops.live;

import dev.berth.driver.script.Director;
import dev.berth.embedded.broker.EmbeddedBroker;
import dev.berth.embedded.registry.EmbeddedRegistry;
import dev.berth.ops.scenario.LiveSystem;
import dev.berth.ops.stack.NativeStore;
import dev.berth.producers.Connection;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Broker and registry for live scenarios, started with the first of them. Each scenario has topics,
 * a Streams application, a worker and drivers of its own beside those of the others.
 */
public final class LiveStack implements LiveSystem.Source, AutoCloseable {

  private final Path data;
  private final InstantSource clock;
  private @Nullable EmbeddedRegistry registry;
  private @Nullable EmbeddedBroker broker;
  private int opened;

  /**
   * Starts nothing yet.
   *
   * @param data an empty directory for everything; sockets are in it, so its path must be short
   * @param clock the clock of this process
   */
  public LiveStack(Path data, InstantSource clock) {
    this.data = data;
    this.clock = clock;
  }

  @Override
  public LiveSystem open(Set<LiveSystem.Instance> instances, Director director)
      throws InterruptedException {
    Connection connection = connection().withPrefix("live" + ++opened);
    return LiveBerth.start(
        connection, data.resolve(connection.topics().prefix()), instances, director, clock);
  }

  private Connection connection() {
    EmbeddedBroker running = broker;
    EmbeddedRegistry names = registry;
    if (running == null || names == null) {
      NativeStore.load(data.resolve("native"));
      registry = names = EmbeddedRegistry.start(data);
      broker = running = EmbeddedBroker.start(data.resolve("broker"));
    }
    return Connection.to(running.bootstrapServers(), names.url());
  }

  /** Stops broker and registry. Doing it again does nothing. */
  @Override
  public void close() {
    if (broker != null) {
      broker.close();
    }
    if (registry != null) {
      registry.close();
    }
  }
}
