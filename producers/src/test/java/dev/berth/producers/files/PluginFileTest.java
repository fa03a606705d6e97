package dev.berth.producers.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PluginFileTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  @DisplayName("instances are healthy unless said otherwise, and name no worker")
  void instances() {
    String text =
        """
        plugin: ebs
        node: n1
        role: controller
        capabilities: [attach, publish-readonly, list-published]
        endpoint: unix:///run/csi/ebs.sock
        route: ebs
        version: "1.10"
        ---
        plugin: ebs
        node: n2
        role: node
        health: unhealthy
        health-text: being replaced
        external-node: i-0abc
        max-volumes: 25
        topology: {zone: a}
        capabilities: [stage]
        """;
    assertThat(PluginFile.instances("p.yaml", text, NOW).stream().map(Located::value).toList())
        .isEqualTo(
            List.of(
                instance("n1", PluginRole.CONTROLLER)
                    .setHealth(PluginHealth.HEALTHY)
                    .setAttach(true)
                    .setPublishReadOnly(true)
                    .setListPublished(true)
                    .setEndpoint("unix:///run/csi/ebs.sock")
                    .setRoute("ebs")
                    .setVersion("1.10")
                    .build(),
                instance("n2", PluginRole.NODE)
                    .setHealth(PluginHealth.UNHEALTHY)
                    .setHealthText("being replaced")
                    .setExternalNode("i-0abc")
                    .setMaxVolumes(25L)
                    .setTopology(Map.of("zone", "a"))
                    .setStage(true)
                    .build()));
  }

  @Test
  @DisplayName("what belongs to the other role, sizes over CSI's and unknown words are told")
  void wrong() {
    String text =
        """
        plugin: ebs
        node: n1
        role: controller
        health: removed
        external-node: %s
        max-volumes: -1
        capabilities: [stage, fly]
        """
            .formatted("x".repeat(257));
    assertThatThrownBy(() -> PluginFile.instances("p.yaml", text, NOW))
        .isInstanceOfSatisfying(
            InvalidFileException.class,
            e ->
                assertThat(e.problems().stream().map(FileProblem::toString))
                    .containsExactly(
                        "p.yaml:4: health: \"removed\" is not a health; give one of healthy,"
                            + " unhealthy",
                        "p.yaml:5: external-node: has 257 bytes; CSI allows 256: shorten it",
                        "p.yaml:5: external-node: belongs to node instances; take it out",
                        "p.yaml:6: max-volumes: \"-1\" is no count; give a whole number, 0 or more",
                        "p.yaml:7: capabilities: \"fly\" is not a capability; give one of attach,"
                            + " publish-readonly, list-published, stage",
                        "p.yaml:7: capabilities: stage belongs to node instances; take it out"));
  }

  @Test
  @DisplayName("the same instance twice is told, another role on the node is another instance")
  void twice() {
    String node = "- {plugin: p, node: n, role: node}\n";
    String controller = "- {plugin: p, node: n, role: controller}\n";
    assertThat(PluginFile.instances("p.yaml", node + controller, NOW)).hasSize(2);
    assertThatThrownBy(() -> PluginFile.instances("p.yaml", node + controller + node, NOW))
        .hasMessage(
            "p.yaml:3: node instance of plugin p on node n stands in line 1 already; take one out");
  }

  private static PluginInstance.Builder instance(String node, PluginRole role) {
    return PluginInstance.newBuilder()
        .setPlugin("ebs")
        .setNode(node)
        .setRole(role)
        .setWorker("")
        .setSeenAt(NOW);
  }
}
