package dev.berth.workers.config;

import dev.berth.records.PluginRole;
import dev.berth.schemas.topics.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * All that a worker is told, checked.
 *
 * <table>
 * <caption>Keys of {@link #parse}</caption>
 * <tr><td>{@code worker.id}</td><td>name of the worker, the same after a restart</td></tr>
 * <tr><td>{@code worker.role}</td><td>{@code controller} or {@code node}: which of the endpoints it
 *     serves (default: all)</td></tr>
 * <tr><td>{@code worker.plugin}</td><td>for {@code controller}: the one plugin whose controllers it
 *     serves, with the plugin id as route where none is set</td></tr>
 * <tr><td>{@code worker.node}</td><td>for {@code node}: the node that it serves</td></tr>
 * <tr><td>{@code bootstrap.servers}</td><td>Kafka brokers</td></tr>
 * <tr><td>{@code schema.registry.*}, {@code basic.auth.*}, {@code bearer.auth.*}, {@code
 *     auto.register.schemas}</td><td>the registry; {@code schema.registry.url} is required</td></tr>
 * <tr><td>{@code topic.prefix}</td><td>of topics and groups (default {@code berth})</td></tr>
 * <tr><td>{@code plugins.<name>.endpoint}</td><td>{@code unix:///path} or {@code host:port}</td></tr>
 * <tr><td>{@code plugins.<name>.role}</td><td>{@code controller} or {@code node}</td></tr>
 * <tr><td>{@code plugins.<name>.node}</td><td>node it runs on (scheduler's id)</td></tr>
 * <tr><td>{@code plugins.<name>.plugin}</td><td>plugin id (default: what the plugin calls
 *     itself)</td></tr>
 * <tr><td>{@code plugins.<name>.route}</td><td>group that may accept its work (default {@code
 *     pool})</td></tr>
 * <tr><td>{@code plugins.<name>.tls}</td><td>{@code true} for TLS (default: if one of the following
 *     is set)</td></tr>
 * <tr><td>{@code plugins.<name>.tls.ca}</td><td>PEM file of the CA (default: those of the
 *     JVM)</td></tr>
 * <tr><td>{@code plugins.<name>.tls.cert}, {@code .tls.key}</td><td>PEM files of the worker's
 *     certificate and PKCS#8 key, for mTLS</td></tr>
 * <tr><td>{@code plugins.<name>.tls.name}</td><td>name in the plugin's certificate (default: the
 *     host)</td></tr>
 * <tr><td>{@code plugins.<name>.mount.root}</td><td>overrides {@code mount.root}</td></tr>
 * <tr><td>{@code open.calls.max}</td><td>attempts open at once (default 200)</td></tr>
 * <tr><td>{@code mount.root}</td><td>directory of staging and target paths (default {@code
 *     /var/lib/berth/csi})</td></tr>
 * <tr><td>{@code discovery.interval.ms}</td><td>plugins are reported at least this often (default
 *     and longest 30000)</td></tr>
 * <tr><td>{@code listing.interval.ms}</td><td>plugins that list published volumes are listed about
 *     that often (default 60000)</td></tr>
 * <tr><td>{@code drain.timeout.ms}</td><td>how long a close waits for open calls (default
 *     150000)</td></tr>
 * <tr><td>{@code health.port}</td><td>port on the loopback for {@code /health}, {@code /ready} and
 *     {@code /metrics}; 0 takes a free one (default: none)</td></tr>
 * <tr><td>{@code log.format}</td><td>{@code text} (default) or {@code json}; for {@code berth
 *     worker}, which writes the log: {@code Main} leaves that to the logging library</td></tr>
 * <tr><td>{@code config.providers*}</td><td>where secrets come from, as in Kafka's own clients
 *     (default {@code file}, {@code dir} and {@code env})</td></tr>
 * <tr><td>{@code kafka.*}</td><td>handed to every Kafka client</td></tr>
 * </table>
 *
 * @param workerId name of the worker
 * @param role which part of the configuration it takes
 * @param bootstrapServers Kafka brokers
 * @param registry settings of the schema registry; may hold secrets, therefore never printed
 * @param topics the topics of this deployment
 * @param endpoints plugin services to serve, at least one: those of the role
 * @param maxOpenCalls attempts that may be open at once (count)
 * @param mountRoot directory of staging and target paths
 * @param discoveryInterval longest time between two reports of an endpoint
 * @param listingInterval mean time between two listings of a plugin
 * @param drainTimeout how long a close waits for open calls
 * @param healthPort port of the status server; empty for none
 * @param secretProviders Kafka's {@code config.providers} settings
 * @param kafka settings for every Kafka client; may hold secrets, therefore never printed
 */
public record WorkerConfig(
    String workerId,
    WorkerRole role,
    String bootstrapServers,
    Map<String, String> registry,
    Topics topics,
    List<EndpointConfig> endpoints,
    int maxOpenCalls,
    Path mountRoot,
    Duration discoveryInterval,
    Duration listingInterval,
    Duration drainTimeout,
    OptionalInt healthPort,
    Map<String, String> secretProviders,
    Map<String, String> kafka) {

  /** Copies its collections. */
  public WorkerConfig {
    registry = Map.copyOf(registry);
    endpoints = List.copyOf(endpoints);
    secretProviders = Map.copyOf(secretProviders);
    kafka = Map.copyOf(kafka);
  }

  /**
   * Reads a flat configuration.
   *
   * @throws IllegalArgumentException naming the key, its value and the remedy when a setting is
   *     missing, unknown or cannot be used
   */
  public static WorkerConfig parse(Map<String, String> settings) {
    return WorkerSettings.read(settings);
  }

  /** Returns the routes of the endpoints with this role, in order. */
  public Set<String> routes(PluginRole role) {
    Set<String> routes = new TreeSet<>();
    endpoints.stream().filter(e -> e.role() == role).forEach(e -> routes.add(e.route()));
    return routes;
  }

  @Override
  public String toString() {
    return "WorkerConfig[workerId=%s, role=%s, bootstrapServers=%s, prefix=%s, endpoints=%s]"
        .formatted(workerId, role, bootstrapServers, topics.prefix(), endpoints);
  }
}
