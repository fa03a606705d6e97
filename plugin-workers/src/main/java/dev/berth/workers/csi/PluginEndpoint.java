package dev.berth.workers.csi;

import dev.berth.workers.config.EndpointConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A configured plugin service with its connection. Safe for use by many threads. */
public final class PluginEndpoint implements AutoCloseable {

  private final EndpointConfig config;
  private final PluginConnection connection;
  private final Readiness readiness;
  private final Path mountRoot;
  private volatile @Nullable String plugin;
  private volatile Runnable whenUnreached = () -> {};

  /**
   * @param config the endpoint
   * @param connection the connection to it
   * @param mountRoot directory of staging and target paths, where the endpoint names none
   */
  public PluginEndpoint(EndpointConfig config, PluginConnection connection, Path mountRoot) {
    this.config = config;
    this.connection = connection;
    this.readiness = new Readiness(connection);
    this.mountRoot = config.mountRoot().orElse(mountRoot);
    this.plugin = config.plugin().orElse(null);
  }

  /** Returns what is configured. */
  public EndpointConfig config() {
    return config;
  }

  /** Returns the connection. */
  public PluginConnection connection() {
    return connection;
  }

  /** Returns the plugin id; empty until the plugin has told its name, where none is configured. */
  public Optional<String> plugin() {
    return Optional.ofNullable(plugin);
  }

  /** Notes what the plugin calls itself; a configured id stays. */
  public void named(String name) {
    if (config.plugin().isEmpty()) {
      plugin = name;
    }
  }

  /** Names what is to happen when a call finds that the plugin cannot be reached. */
  public void whenUnreached(Runnable action) {
    whenUnreached = action;
  }

  /** Connects to the plugin, as {@link Readiness#reach} does. */
  Reach reach(Duration patience, boolean persist) {
    return readiness.reach(patience, persist);
  }

  /** Notes that a call could not reach the plugin. */
  void unreached() {
    whenUnreached.run();
  }

  MountPaths paths(String pluginId) {
    return new MountPaths(mountRoot, pluginId);
  }

  @Override
  public void close() {
    connection.close();
  }
}
