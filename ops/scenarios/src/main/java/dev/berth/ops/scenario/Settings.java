package dev.berth.ops.scenario;

import dev.berth.records.Policy;
import dev.berth.schemas.topics.Topic;
import java.util.LinkedHashMap;
import java.util.Map;

/** The policies of a scenario, as an operator writes them. */
final class Settings {
  private Settings() {}

  /** Sets those that hold for everything: those of FORMAT.md, and the file's own. */
  static void ofScenario(World world, Map<String, String> own) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("backoff.jitter", "0");
    all.put("settle-margin", "0s");
    all.put("run", "1");
    all.putAll(own);
    write(world, "default", all);
  }

  /** Sets those of one plugin or one volume. */
  static void narrower(World world, Value.Fields f) {
    f.allow("plugin", "volume", "namespace", "settings");
    String name =
        f.optional("plugin")
            .map(plugin -> "plugin/" + plugin)
            .orElseGet(() -> "volume/" + f.text("namespace", "default") + "/" + f.text("volume"));
    Map<String, String> settings = new LinkedHashMap<>();
    f.find("settings").ifPresent(all -> Scenario.flatten("", all, settings));
    write(world, name, settings);
  }

  private static void write(World world, String name, Map<String, String> settings) {
    world.write(Topic.POLICIES, name, new Policy(name, settings, "scenario", "", world.now()));
  }
}
