package dev.berth.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.provider.ProviderNode;
import dev.berth.driver.provider.ProviderSpec;
import dev.berth.driver.provider.ProviderSpec.Concurrency;
import dev.berth.driver.provider.Volume;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DriverSetupTest {

  @Test
  void nameAloneMakesAController() {
    assertThat(DriverSetup.of(Map.of("plugin", "p")))
        .isEqualTo(
            new DriverSetup(
                DriverSpec.controller("p"),
                ProviderSpec.strict(),
                List.of(),
                List.of(),
                List.of(),
                0));
  }

  @Test
  void everythingCanBeSet() {
    Map<String, String> settings =
        Map.ofEntries(
            Map.entry("plugin", "ebs"),
            Map.entry("version", "2"),
            Map.entry("instance", "x"),
            Map.entry("node-id", "i-1"),
            Map.entry("max-volumes", "25"),
            Map.entry("roles", "node"),
            Map.entry("publish-readonly", "false"),
            Map.entry("list-published", "false"),
            Map.entry("stage", "false"),
            Map.entry("single-node-multi-writer", "true"),
            Map.entry("controller-latency", "2s"),
            Map.entry("node-latency", "uniform:1ms:2ms"),
            Map.entry("seed", "42"),
            Map.entry("provider.device-name-race", "false"),
            Map.entry("provider.concurrency", "abort-per-volume-and-node"),
            Map.entry("provider.auto-create", "multi-node"),
            Map.entry("provider.single-node-volumes", "a, b"),
            Map.entry("provider.multi-node-volumes", "c"),
            Map.entry("provider.nodes", "i-1:25, i-2"),
            Map.entry("rule.10", "rpc=CU do=hang"),
            Map.entry("rule.9", "rpc=CP do=hang"));

    assertThat(DriverSetup.of(settings))
        .isEqualTo(
            new DriverSetup(
                new DriverSpec(
                    "ebs",
                    "2",
                    "x",
                    new PluginFeatures(true, true, false, true, false, false, true),
                    Set.of(DriverSpec.Role.NODE),
                    "i-1",
                    25,
                    Latency.fixed(Duration.ofSeconds(2)),
                    Latency.uniform(Duration.ofMillis(1), Duration.ofMillis(2))),
                new ProviderSpec(
                    false, Concurrency.ABORT_PER_VOLUME_AND_NODE, Optional.of(Access.MULTI_NODE)),
                List.of(
                    new Volume("a", Access.SINGLE_NODE),
                    new Volume("b", Access.SINGLE_NODE),
                    new Volume("c", Access.MULTI_NODE)),
                List.of(new ProviderNode("i-1", 25), new ProviderNode("i-2", 0)),
                List.of(
                    Rule.on(Rpc.CONTROLLER_PUBLISH).hang(),
                    Rule.on(Rpc.CONTROLLER_UNPUBLISH).hang()),
                42));
  }

  @Test
  void pluginWithoutControllerHasNoneOfItsFeatures() {
    DriverSpec spec =
        DriverSetup.of(Map.of("plugin", "nfs", "controller", "false", "node-id", "f-1")).spec();

    assertThat(spec.features()).isEqualTo(PluginFeatures.nodeOnly());
    assertThat(spec.roles()).containsExactly(DriverSpec.Role.NODE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          stage       | maybe | stage=maybe: write true or false
          max-volumes | many  | max-volumes=many: write a whole number
          roles       | boss  | roles=boss: write one of controller, node
          node-latency | 5    | node-latency=5: '5' is not a latency; write none, 200ms, \
          uniform:MIN:MAX or log-normal:MEDIAN:SIGMA[:MAX]
          provider.concurrency | none | provider.concurrency=none: write one of abort-per-volume, \
          abort-per-volume-and-node, allow
          provider.auto-create | yes | provider.auto-create=yes: write one of single-node, multi-node
          provider.nodes | i-1:x | provider.nodes=i-1:x: write a whole number
          rule.one | rpc=CP | rule.one=one: write a whole number
          rule.1 | rpc=XX | rule=rpc=XX: no such RPC: 'XX'; use one of PI, PC, PR, CP, CU, LV, CC, \
          NS, NT, NP, NU, NC, NI
          plugins | ebs | unknown settings [plugins]; see --help for those there are
          """)
  void wrongSettingIsExplained(String name, String value, String message) {
    assertThatThrownBy(() -> DriverSetup.of(Map.of("plugin", "p", name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void pluginIsRequired() {
    assertThatThrownBy(() -> DriverSetup.of(Map.of()))
        .hasMessage("plugin is missing; give it a value");
  }
}
