package dev.berth.ops.stack;

import dev.berth.producers.Connection;
import dev.berth.streams.app.AppConfig;
import dev.berth.streams.app.BerthApp;
import dev.berth.streams.topology.BerthTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The Streams application of a stack. */
public final class StreamsPart implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final BerthApp app;
  private final String group;

  private StreamsPart(BerthApp app, String group) {
    this.app = app;
    this.group = group;
  }

  /**
   * Starts it with one thread: each has a transaction of its own, and the machine runs all the rest
   * of the stack too. Returns when it runs.
   *
   * @param state directory of the stores
   * @param apiPort port of the query API; 0 for any that is free
   * @throws IllegalStateException when it does not run within a minute
   */
  public static StreamsPart start(Connection connection, Path state, int apiPort) {
    return start(connection, state, apiPort, 1);
  }

  /**
   * The same with another number of threads.
   *
   * @param threads stream threads (count)
   * @throws IllegalStateException when it does not run within a minute
   */
  public static StreamsPart start(Connection connection, Path state, int apiPort, int threads) {
    Map<String, String> settings = settings(connection, state, threads);
    settings.put("api.listen", "127.0.0.1:" + apiPort);
    AppConfig config = AppConfig.parse(settings);
    BerthApp app = new BerthApp(config, BerthTopology::build);
    try {
      app.start();
      if (!app.awaitRunning(PATIENCE)) {
        throw new IllegalStateException(
            "the Streams application does not run: %s; look into the log"
                .formatted(app.state().text()));
      }
      return new StreamsPart(app, config.applicationId());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      app.close();
      throw new IllegalStateException("interrupted while the Streams application starts", e);
    } catch (RuntimeException e) {
      app.close();
      throw e;
    }
  }

  /**
   * Settings of a single instance on a single broker; the caller's to change.
   *
   * @param state directory of the stores
   * @param threads stream threads (count)
   */
  public static Map<String, String> settings(Connection connection, Path state, int threads) {
    Map<String, String> settings = new HashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("topic.prefix", connection.topics().prefix());
    settings.put("state.dir", state.toString());
    // One broker, one instance: there is nowhere to keep copies.
    settings.put("replication.factor", "1");
    settings.put("standby.replicas", "0");
    settings.put("threads", Integer.toString(threads));
    return settings;
  }

  /** Its consumer group. */
  public String group() {
    return group;
  }

  /** Where its query API is reached, {@code host:port}. */
  String apiAddress() {
    return app.apiAddress();
  }

  /** Where it tells its health. */
  String healthUrl() {
    return "http://127.0.0.1:" + app.healthPort() + "/health";
  }

  /** Whether it has not ended by itself. */
  boolean isRunning() {
    return !app.state().ended();
  }

  @Override
  public void close() {
    app.close();
  }
}
