package dev.berth.ops.chaos;

import dev.berth.producers.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files that Berth's processes are configured by. For one thread. */
final class ClusterFiles {

  private final Path directory;
  private final Connection connection;
  private final GroupProtocols protocols;
  private final Map<String, Integer> healthPorts = new HashMap<>();
  private int stateDirectories;

  ClusterFiles(Path directory, Connection connection, GroupProtocols protocols) {
    this.directory = directory;
    this.connection = connection;
    this.protocols = protocols;
  }

  /** Where a process tells whether it is ready; the same after each of its restarts. */
  int healthPort(String name) {
    return healthPorts.computeIfAbsent(name, unused -> Ports.free());
  }

  /**
   * Writes the settings of a Streams instance, which begins with a state directory of its own.
   *
   * @param over settings over those of a cluster
   * @return the path of the file
   */
  String streams(String name, Map<String, String> over) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("health.port", Integer.toString(healthPort(name)));
    settings.put("state.dir", directory.resolve("state-" + ++stateDirectories).toString());
    settings.put("replication.factor", "1");
    settings.put("standby.replicas", "0");
    settings.put("threads", "1");
    settings.put("api.listen", "127.0.0.1:0");
    // So that the group's members tell whose they are.
    settings.put("kafka.client.id", name);
    settings.putAll(protocols.ofStreams());
    settings.putAll(over);
    return file(name, settings);
  }

  /** Writes the settings of a worker; returns the path of the file. */
  String worker(String name) throws IOException {
    Map<String, String> settings = new LinkedHashMap<>(connection.registry());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.put("worker.id", name);
    settings.put("health.port", Integer.toString(healthPort(name)));
    settings.putAll(protocols.ofWorkers());
    settings.put("mount.root", directory.resolve("mounts").toString());
    settings.put("discovery.interval.ms", "5000");
    settings.put("listing.interval.ms", "10000");
    settings.put("drain.timeout.ms", "8000");
    for (String plugin : Cluster.PLUGIN_IDS) {
      for (String node : Cluster.NODES) {
        endpoint(settings, plugin, "controller", node, "controller-" + node);
        endpoint(settings, plugin, "node", node, node);
      }
    }
    return file(name, settings);
  }

  private void endpoint(
      Map<String, String> settings, String plugin, String role, String node, String instance) {
    String key = "plugins.%s-%s-%s.".formatted(plugin, role, node);
    settings.put(key + "endpoint", "unix://" + PluginsMain.socket(directory, plugin, instance));
    settings.put(key + "plugin", plugin);
    settings.put(key + "role", role);
    settings.put(key + "node", node);
  }

  private String file(String name, Map<String, String> settings) throws IOException {
    Path file = directory.resolve(name + ".properties");
    Files.write(
        file, settings.entrySet().stream().map(s -> s.getKey() + "=" + s.getValue()).toList());
    return file.toString();
  }
}
