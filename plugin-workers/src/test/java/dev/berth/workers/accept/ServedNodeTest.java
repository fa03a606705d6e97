package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workers.config.WorkerConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ServedNodeTest {

  @Test
  void thePluginsAreKnownWhenAllOfThemAreNamed() {
    Map<String, String> settings = settings();
    settings.put("plugins.b.plugin", "gce");

    assertThat(ServedNode.of("n1", WorkerConfig.parse(settings).endpoints()))
        .isEqualTo(new ServedNode("n1", Optional.of(Set.of("ebs", "gce"))));
  }

  @Test
  void aPluginThatIsToNameItselfLeavesThemUnknown() {
    assertThat(ServedNode.of("n1", WorkerConfig.parse(settings()).endpoints()))
        .isEqualTo(new ServedNode("n1", Optional.empty()));
  }

  private static Map<String, String> settings() {
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "bootstrap.servers", "127.0.0.1:1",
                "schema.registry.url", "http://127.0.0.1:2",
                "worker.id", "w1",
                "worker.role", "node",
                "worker.node", "n1",
                "plugins.a.plugin", "ebs"));
    for (String name : Set.of("a", "b")) {
      settings.put("plugins." + name + ".endpoint", "unix:///csi/" + name + ".sock");
      settings.put("plugins." + name + ".role", "node");
      settings.put("plugins." + name + ".node", "n1");
    }
    return settings;
  }
}
