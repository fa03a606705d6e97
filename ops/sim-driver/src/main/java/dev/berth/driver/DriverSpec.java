package dev.berth.driver;

import dev.berth.driver.script.Latency;
import java.util.Set;

/**
 * One instance of a plugin: a process with a socket.
 *
 * @param plugin name of the plugin, at most 63 characters
 * @param version vendor version, opaque
 * @param instance name of this process in the call log
 * @param features what the plugin as a whole can do
 * @param roles which services this instance serves besides Identity
 * @param nodeId the provider's id of the node that this instance runs on; empty without {@link
 *     Role#NODE}
 * @param maxVolumes what the node claims to have as slots; 0 is no limit
 * @param controllerLatency time of an attach or detach
 * @param nodeLatency time of a node call
 */
public record DriverSpec(
    String plugin,
    String version,
    String instance,
    PluginFeatures features,
    Set<Role> roles,
    String nodeId,
    long maxVolumes,
    Latency controllerLatency,
    Latency nodeLatency) {

  /** A service of a plugin instance. */
  public enum Role {
    CONTROLLER,
    NODE
  }

  public DriverSpec {
    roles = Set.copyOf(roles);
    if (plugin.isEmpty() || plugin.length() > 63) {
      throw new IllegalArgumentException(
          "plugin '%s': a name has 1 to 63 characters".formatted(plugin));
    }
    if (roles.contains(Role.CONTROLLER) && !features.controller()) {
      throw new IllegalArgumentException(
          "role controller of plugin %s: its features say that it has none".formatted(plugin));
    }
    if (roles.contains(Role.NODE) == nodeId.isEmpty()) {
      throw new IllegalArgumentException(
          "node-id '%s' of plugin %s: give one exactly if the role is node"
              .formatted(nodeId, plugin));
    }
    if (maxVolumes < 0) {
      throw new IllegalArgumentException(
          "max-volumes %d of plugin %s: use 0 for no limit".formatted(maxVolumes, plugin));
    }
  }

  /** A controller instance that answers at once. */
  public static DriverSpec controller(String plugin) {
    return new DriverSpec(
        plugin,
        "1.0.0",
        "controller",
        PluginFeatures.all(),
        Set.of(Role.CONTROLLER),
        "",
        0,
        Latency.none(),
        Latency.none());
  }

  /** A node instance, named after its node, that answers at once and has no limit of slots. */
  public static DriverSpec node(String plugin, String nodeId) {
    return new DriverSpec(
        plugin,
        "1.0.0",
        nodeId,
        PluginFeatures.all(),
        Set.of(Role.NODE),
        nodeId,
        0,
        Latency.none(),
        Latency.none());
  }

  /** One process with both services. */
  public static DriverSpec monolith(String plugin, String nodeId) {
    return node(plugin, nodeId).withRoles(Set.of(Role.CONTROLLER, Role.NODE));
  }

  /** The same under another name in the call log. */
  public DriverSpec withInstance(String other) {
    return new DriverSpec(
        plugin,
        version,
        other,
        features,
        roles,
        nodeId,
        maxVolumes,
        controllerLatency,
        nodeLatency);
  }

  /** The same for a plugin that can do other things. */
  public DriverSpec withFeatures(PluginFeatures other) {
    return new DriverSpec(
        plugin,
        version,
        instance,
        other,
        roles,
        nodeId,
        maxVolumes,
        controllerLatency,
        nodeLatency);
  }

  /** The same with other services. */
  public DriverSpec withRoles(Set<Role> other) {
    return new DriverSpec(
        plugin,
        version,
        instance,
        features,
        other,
        nodeId,
        maxVolumes,
        controllerLatency,
        nodeLatency);
  }

  /** The same with another number of slots; 0 is no limit. */
  public DriverSpec withMaxVolumes(long other) {
    return new DriverSpec(
        plugin, version, instance, features, roles, nodeId, other, controllerLatency, nodeLatency);
  }

  /** The same with other times for attach and detach. */
  public DriverSpec withControllerLatency(Latency other) {
    return new DriverSpec(
        plugin, version, instance, features, roles, nodeId, maxVolumes, other, nodeLatency);
  }

  /** The same with other times for node calls. */
  public DriverSpec withNodeLatency(Latency other) {
    return new DriverSpec(
        plugin, version, instance, features, roles, nodeId, maxVolumes, controllerLatency, other);
  }
}
