package dev.berth.workers.config;

import dev.berth.records.PluginRole;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One service of one plugin that the worker serves.
 *
 * @param name name within the configuration, for messages
 * @param plugin plugin id; empty takes the name that the plugin gives itself (GetPluginInfo)
 * @param role which of the plugin's services
 * @param node node it runs on (scheduler's id)
 * @param route consumer group that may accept its work
 * @param address where it listens
 * @param tls how it is reached through TLS; empty for a plain connection
 * @param mountRoot directory for staging and target paths of this endpoint; empty takes the
 *     worker's. Several nodes on one machine need one each
 */
public record EndpointConfig(
    String name,
    Optional<String> plugin,
    PluginRole role,
    String node,
    String route,
    PluginAddress address,
    Optional<TlsConfig> tls,
    Optional<Path> mountRoot) {

  /** The route of workers that share the work of plugins which each of them can reach. */
  public static final String POOL = "pool";

  /** The same with work of another route. */
  EndpointConfig withRoute(String other) {
    return new EndpointConfig(name, plugin, role, node, other, address, tls, mountRoot);
  }

  /** The same as it is served by a worker of this plugin only: not by the pool. */
  EndpointConfig alone(String pluginId) {
    return route.equals(POOL) ? withRoute(pluginId) : this;
  }
}
