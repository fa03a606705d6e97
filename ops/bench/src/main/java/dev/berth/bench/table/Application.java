package dev.berth.bench.table;

import dev.berth.ops.stack.StreamsPart;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.producers.Connection;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.app.KafkaSettings;
import dev.berth.streams.topology.BerthTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/** A topology at work in this process, with state that ends with it. */
final class Application implements AutoCloseable {
  static final int THREADS = 2;

  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final TemporaryData data;
  private final AutoCloseable running;

  private Application(TemporaryData data, AutoCloseable running) {
    this.data = data;
    this.running = running;
  }

  /**
   * The settings of all applications of the bench. Each volume has a lane of its own: plugins that
   * answer at once are held up by nothing then but what is measured.
   */
  static AppConfig config(Connection connection, Path state) {
    Map<String, String> settings = StreamsPart.settings(connection, state, THREADS);
    settings.put("api.listen", "127.0.0.1:0");
    settings.put("policy.default.lane", "volume");
    return AppConfig.parse(settings);
  }

  /** Starts Berth and returns when it runs. */
  static Application berth(Connection connection) throws InterruptedException {
    TemporaryData data = TemporaryData.create("berth-bench-table", false);
    return new Application(data, berth(config(connection, data.path())));
  }

  /**
   * Starts Berth and returns when it runs.
   *
   * @throws IllegalStateException when it does not
   */
  static BerthApp berth(AppConfig config) throws InterruptedException {
    BerthApp app = new BerthApp(config, BerthTopology::build);
    try {
      app.start();
      if (!app.awaitRunning(PATIENCE)) {
        throw new IllegalStateException("Berth does not run: " + app.state().text());
      }
      return app;
    } catch (RuntimeException | InterruptedException e) {
      app.close();
      throw e;
    }
  }

  /** Starts another topology with the settings of Berth's and returns when it runs. */
  static Application of(Topology topology, Connection connection) throws InterruptedException {
    TemporaryData data = TemporaryData.create("berth-bench-hop", false);
    KafkaStreams streams =
        new KafkaStreams(topology, KafkaSettings.streams(config(connection, data.path())));
    Application application = new Application(data, streams);
    streams.start();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (streams.state() != KafkaStreams.State.RUNNING) {
      if (System.nanoTime() > deadline || streams.state() == KafkaStreams.State.ERROR) {
        application.close();
        throw new IllegalStateException("the bare hop does not run: " + streams.state());
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
    return application;
  }

  @Override
  public void close() {
    try {
      running.close();
    } catch (Exception e) {
      throw new IllegalStateException("an application cannot be closed", e);
    }
    data.close();
  }
}
