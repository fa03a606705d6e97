package dev.berth.workers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.PluginRole;
import dev.berth.telemetry.Condition;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.PluginAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerConditionTest {

  private static final EndpointConfig EBS = endpoint("ebs");
  private static final EndpointConfig NFS = endpoint("nfs");

  private boolean goesOn = true;
  private boolean polls = true;
  private boolean accepts = true;
  private final List<EndpointConfig> well = new ArrayList<>(List.of(EBS));
  private final List<EndpointConfig> ill = new ArrayList<>();
  private final List<String> waiting = new ArrayList<>();
  private final WorkerCondition condition =
      new WorkerCondition(
          () -> goesOn, () -> polls, () -> accepts, isWell -> isWell ? well : ill, () -> waiting);

  @Test
  void aWorkerThatAcceptsAndHasAPluginIsReady() {
    assertThat(condition.readiness()).isEqualTo(new Condition(true, List.of("ok")));
    assertThat(condition.health()).isEqualTo(new Condition(true, List.of("ok")));
  }

  @Test
  void whileTheClusterIsAwayItIsAliveAndNotReadyForANewStartWouldNotBringThatBack() {
    polls = false;
    waiting.add("route pool begins anew: no broker");

    assertThat(condition.health())
        .isEqualTo(
            new Condition(
                true,
                List.of(
                    "ok",
                    "not all routes were polled within 30 s",
                    "route pool begins anew: no broker")));
    assertThat(condition.readiness())
        .isEqualTo(
            new Condition(
                false,
                List.of(
                    "not all routes were polled within 30 s",
                    "route pool begins anew: no broker")));
  }

  @Test
  void aThreadThatStandsStillIsAReasonToStartItAgain() {
    goesOn = false;

    assertThat(condition.health())
        .isEqualTo(
            new Condition(false, List.of("the thread of a route has stood still for 2 min")));
  }

  @Test
  void itIsNotReadyBeforeItHasJoinedAndBegun() {
    accepts = false;
    waiting.add("waiting for the schema registry: away");

    assertThat(condition.readiness())
        .isEqualTo(
            new Condition(
                false,
                List.of(
                    "not all routes are joined and begun",
                    "waiting for the schema registry: away")));
    assertThat(condition.health())
        .isEqualTo(new Condition(true, List.of("ok", "waiting for the schema registry: away")));
  }

  @Test
  void itIsNotReadyWhileNoPluginIsWell() {
    well.clear();
    ill.add(EBS);

    assertThat(condition.readiness())
        .isEqualTo(
            new Condition(
                false,
                List.of("no plugin is well", "plugin not well: ebs at unix:///run/ebs.sock")));
  }

  @Test
  void onePluginThatIsDownIsToldWithoutMakingItUnready() {
    ill.add(NFS);

    assertThat(condition.readiness())
        .isEqualTo(
            new Condition(true, List.of("ok", "plugin not well: nfs at unix:///run/nfs.sock")));
  }

  @Test
  void whatItWaitsForIsSaidWithoutMakingItUnhealthy() {
    waiting.add("p-3 waits at offset 7: no registry");

    assertThat(condition.health())
        .isEqualTo(new Condition(true, List.of("ok", "p-3 waits at offset 7: no registry")));
  }

  private static EndpointConfig endpoint(String name) {
    return new EndpointConfig(
        name,
        Optional.of(name),
        PluginRole.CONTROLLER,
        "n1",
        EndpointConfig.POOL,
        new PluginAddress("unix:///run/" + name + ".sock"),
        Optional.empty(),
        Optional.empty());
  }
}
