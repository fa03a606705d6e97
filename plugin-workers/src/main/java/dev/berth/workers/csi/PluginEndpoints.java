package dev.berth.workers.csi;

import dev.berth.records.PluginRole;
import dev.berth.workers.config.WorkerConfig;
import java.util.List;
import java.util.Optional;

/** The plugin endpoints of a worker. */
public final class PluginEndpoints implements AutoCloseable {

  private final List<PluginEndpoint> endpoints;

  /** Takes over these endpoints; closes them. */
  public PluginEndpoints(List<PluginEndpoint> endpoints) {
    this.endpoints = List.copyOf(endpoints);
  }

  /** Prepares the configured endpoints; nothing is connected yet. */
  public static PluginEndpoints of(WorkerConfig config) {
    return new PluginEndpoints(
        config.endpoints().stream()
            .map(
                endpoint ->
                    new PluginEndpoint(endpoint, PluginConnection.of(endpoint), config.mountRoot()))
            .toList());
  }

  /** Returns all of them. */
  public List<PluginEndpoint> all() {
    return endpoints;
  }

  /** Returns the endpoint of a plugin's service on a node; empty when this worker has none. */
  public Optional<PluginEndpoint> find(String plugin, PluginRole role, String node) {
    return endpoints.stream()
        .filter(e -> e.config().role() == role && e.config().node().equals(node))
        .filter(e -> e.plugin().filter(plugin::equals).isPresent())
        .findFirst();
  }

  @Override
  public void close() {
    endpoints.forEach(PluginEndpoint::close);
  }
}
