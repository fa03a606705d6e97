package dev.berth.workers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.PluginRole;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerRoleTest {

  private static final EndpointConfig EBS = endpoint("ebs", PluginRole.CONTROLLER, "n1", "pool");
  private static final EndpointConfig GCE = endpoint("gce", PluginRole.CONTROLLER, "n1", "own");
  private static final EndpointConfig EBS_N1 = endpoint("ebs", PluginRole.NODE, "n1", "pool");
  private static final EndpointConfig EBS_N2 = endpoint("ebs", PluginRole.NODE, "n2", "pool");
  private static final List<EndpointConfig> ALL = List.of(EBS, GCE, EBS_N1, EBS_N2);

  @Test
  void withoutARoleEverythingIsServed() {
    assertThat(new WorkerRole.Everything().of(ALL)).isEqualTo(ALL);
  }

  @Test
  void aControllerPoolServesControllersUnderTheirRoutes() {
    assertThat(new WorkerRole.Controllers(Optional.empty()).of(ALL)).containsExactly(EBS, GCE);
  }

  @Test
  void aWorkerBesideOnePluginTakesItsWorkOutOfThePool() {
    assertThat(new WorkerRole.Controllers(Optional.of("ebs")).of(ALL))
        .containsExactly(endpoint("ebs", PluginRole.CONTROLLER, "n1", "ebs"));
    assertThat(new WorkerRole.Controllers(Optional.of("gce")).of(ALL)).containsExactly(GCE);
  }

  @Test
  void aNodeWorkerServesItsNodeUnderARouteOfItsOwn() {
    assertThat(new WorkerRole.OneNode("n2").of(ALL))
        .containsExactly(endpoint("ebs", PluginRole.NODE, "n2", "node-n2"));
  }

  @Test
  void aRoleWithoutEndpointsIsRefused() {
    assertThatThrownBy(() -> new WorkerRole.OneNode("n9").of(ALL))
        .hasMessageContaining("no endpoint for OneNode[node=n9] is configured: set plugins.");
  }

  private static EndpointConfig endpoint(
      String plugin, PluginRole role, String node, String route) {
    return new EndpointConfig(
        plugin,
        Optional.of(plugin),
        role,
        node,
        route,
        new PluginAddress("127.0.0.1:1234"),
        Optional.empty(),
        Optional.empty());
  }
}
