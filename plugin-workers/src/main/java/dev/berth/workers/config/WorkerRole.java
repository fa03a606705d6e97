package dev.berth.workers.config;

import dev.berth.records.PluginRole;
import java.util.List;
import java.util.Optional;

/** Which part of a configuration a worker takes; machines may share one file. */
public sealed interface WorkerRole {

  /** Everything that is configured. */
  record Everything() implements WorkerRole {}

  /**
   * Controllers.
   *
   * @param plugin the one plugin whose controllers it serves, under a route of their own; empty for
   *     all, under the routes that they have
   */
  record Controllers(Optional<String> plugin) implements WorkerRole {}

  /**
   * The node services of one node. Their work has a route of its own, and comes straight from the
   * partition that holds the node's.
   *
   * @param node the node (scheduler's id)
   */
  record OneNode(String node) implements WorkerRole {

    /** Returns the route of the node's work. */
    public String route() {
      return "node-" + node;
    }
  }

  /**
   * Reads a role.
   *
   * @param role {@code controller}, {@code node}, or empty for everything
   * @param plugin for {@code controller} only
   * @param node for {@code node}, which needs it
   * @throws IllegalArgumentException naming the setting that does not fit, and the remedy
   */
  static WorkerRole of(Optional<String> role, Optional<String> plugin, Optional<String> node) {
    String name = role.orElse("");
    if (plugin.isPresent() && !name.equals("controller")) {
      throw wrong("worker.plugin", plugin.get(), "is for worker.role=controller only; remove it");
    }
    if (node.isPresent() && !name.equals("node")) {
      throw wrong("worker.node", node.get(), "is for worker.role=node only; remove it");
    }
    return switch (name) {
      case "" -> new Everything();
      case "controller" -> new Controllers(plugin);
      case "node" ->
          new OneNode(
              node.orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "worker.node is not set: give the node that this worker runs on")));
      default -> throw wrong("worker.role", name, "set controller or node, or nothing for both");
    };
  }

  /**
   * Returns the endpoints that this role takes, with the routes of their work.
   *
   * @throws IllegalArgumentException when there is none
   */
  default List<EndpointConfig> of(List<EndpointConfig> endpoints) {
    List<EndpointConfig> taken = endpoints;
    if (this instanceof Controllers controllers) {
      taken =
          endpoints.stream()
              .filter(each -> each.role() == PluginRole.CONTROLLER)
              .filter(each -> isOf(controllers.plugin(), each))
              .map(each -> controllers.plugin().map(each::alone).orElse(each))
              .toList();
    } else if (this instanceof OneNode one) {
      taken =
          endpoints.stream()
              .filter(each -> each.role() == PluginRole.NODE && each.node().equals(one.node()))
              .map(each -> each.withRoute(one.route()))
              .toList();
    }
    if (taken.isEmpty()) {
      throw new IllegalArgumentException(
          "no endpoint for %s is configured: set plugins.<name>.endpoint, .role and .node, and with"
                  .formatted(this)
              + " worker.plugin also .plugin");
    }
    return taken;
  }

  private static boolean isOf(Optional<String> plugin, EndpointConfig endpoint) {
    return plugin.isEmpty() || endpoint.plugin().equals(plugin);
  }

  private static IllegalArgumentException wrong(String key, String value, String remedy) {
    return new IllegalArgumentException(key + "=" + value + ": " + remedy);
  }
}
