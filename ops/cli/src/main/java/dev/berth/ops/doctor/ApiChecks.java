package dev.berth.ops.doctor;

import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.proto.api.Stuck;
import java.util.ArrayList;
import java.util.List;

/** What is said of plugins and claims, from the API's answers. */
final class ApiChecks {
  private ApiChecks() {}

  /** Of the health that workers report of each plugin. */
  static List<Check> plugins(List<Plugin> plugins) {
    if (plugins.isEmpty()) {
      return List.of(
          Check.warning("plugins", "none is known", "start workers where the plugins run"));
    }
    return plugins.stream().map(ApiChecks::plugin).toList();
  }

  /** Of claims that need an operator. */
  static Check stuck(List<Stuck> stuck) {
    return stuck.isEmpty()
        ? Check.ok("stuck claims", "none")
        : Check.warning("stuck claims", "so many: " + stuck.size(), "berth stuck list");
  }

  private static Check plugin(Plugin plugin) {
    String name = "plugin " + plugin.getPlugin();
    String remedy = "berth plugin status " + plugin.getPlugin();
    List<String> sick = new ArrayList<>();
    for (PluginInstance instance : plugin.getInstancesList()) {
      if (!instance.getHealthy()) {
        sick.add("on node %s: %s".formatted(instance.getNode(), words(instance)));
      }
    }
    if (plugin.getControllerRequired() && plugin.getHealthyControllers() == 0) {
      return Check.wrong(name, "no controller is well; its claims wait or are rejected", remedy);
    }
    if (plugin.getHealthyNodes() == 0) {
      return Check.wrong(name, "no node instance is well; its claims are rejected", remedy);
    }
    return sick.isEmpty()
        ? Check.ok(name, "all %d instances are well".formatted(plugin.getInstancesCount()))
        : Check.warning(
            name,
            "%d of %d instances are not well, one %s"
                .formatted(sick.size(), plugin.getInstancesCount(), sick.get(0)),
            remedy);
  }

  private static String words(PluginInstance instance) {
    return instance.getHealthText().isEmpty() ? "no reason given" : instance.getHealthText();
  }
}
