package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.records.PluginInstance;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import io.confluent.kafka.schemaregistry.client.MockSchemaRegistryClient;
import io.grpc.Status;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What plugins were really asked for is held against the rules, whatever the topics say. */
class LiveAuditTest {
  private static final String WORLD =
      """
      id: T
      policy: {%s}
      steps:
        - node: {id: n1, status: ready}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
      """;

  private final CallLog log = CallLog.inMemory(InstantSource.fixed(Instant.EPOCH));

  @Test
  void callsOneAfterTheOtherInTheOrderOfTheStepsAreFine() {
    done("CP", "vol-a", "i-1", "");
    done("NS", "vol-a", "i-1", "");
    done("NP", "vol-a", "i-1", "/a1");
    done("NU", "vol-a", "i-1", "/a1");
    done("NT", "vol-a", "i-1", "");
    done("CU", "vol-a", "i-1", "");

    assertThat(broken("", "")).isEmpty();
  }

  @Test
  void callsOfOnePluginThatAreOpenTogetherAreTold() {
    begun("CP", "vol-a", "i-1");
    begun("CP", "vol-b", "i-1");

    assertThat(broken("", ""))
        .containsExactly(
            "2 controller calls of plugin ebs were open together, allowed are 1:"
                + " #1 CP vol-a i-1 rw -> open, #2 CP vol-b i-1 rw -> open");
  }

  @Test
  void lanesThatAreNarrowerThanAPluginLetCallsOfItBeOpenTogether() {
    begun("CP", "vol-a", "i-1");
    begun("CP", "vol-b", "i-1");
    begun("CU", "vol-b", "i-2");

    assertThat(broken("lane: volume", ""))
        .singleElement()
        .asString()
        .startsWith("2 controller calls of volume ebs/vol-b were open together");
    assertThat(broken("", "  - policy: {plugin: ebs, settings: {lane: volume-node}}\n")).isEmpty();
  }

  @Test
  void aDetachOfEveryNodeIsTold() {
    done("CU", "vol-a", "", "");

    assertThat(broken("", ""))
        .singleElement()
        .asString()
        .startsWith("a controller call names no node");
  }

  @Test
  void aDetachUnderAMountIsToldUnlessSomebodyElseAnswersForTheNode() {
    done("CP", "vol-a", "i-1", "");
    done("NP", "vol-a", "i-1", "/a1");
    done("CU", "vol-a", "i-1", "");

    assertThat(broken("", ""))
        .containsExactly("detach before unpublish of [/a1]: #7 CU vol-a i-1 -> OK");
    assertThat(broken("", "  - unmounted: {alloc: a1, volume: vA}\n")).isEmpty();
    assertThat(broken("", "  - node: {id: n1, status: down}\n")).isEmpty();
    assertThat(broken("", "  - command: {fence: {node: n1}, by: op, reason: r}\n")).isEmpty();
  }

  @Test
  void aRunFailsWithWhatIsFoundInTheDriversLog() throws InterruptedException {
    begun("CP", "vol-a", "i-1");
    begun("CP", "vol-b", "i-1");
    Scenario scenario =
        Scenario.read(
            "t.yaml",
            "id: T\nsteps:\n  - node: {id: n1, status: ready}\n  - expect: {rpcs: []}\n",
            name -> Optional.empty());

    ScenarioRunner.Result result =
        ScenarioRunner.run(
            new LivePlan.Runs(scenario, "in real time", Duration.ZERO),
            (instances, director) -> new Silent(log),
            Clock.systemUTC(),
            false);

    assertThat(result.failures())
        .map(failure -> failure.line() + " " + failure.expected() + ": " + failure.actual())
        .containsExactly(
            "4 only what work asks for: #1 CP vol-a i-1 rw -> open",
            "4 only what work asks for: #2 CP vol-b i-1 rw -> open",
            "4 as CSI and the lanes promise: 2 controller calls of plugin ebs were open together,"
                + " allowed are 1: #1 CP vol-a i-1 rw -> open, #2 CP vol-b i-1 rw -> open");
  }

  private List<String> broken(String policy, String steps) {
    return LiveAudit.broken(
        Scenario.read("t.yaml", WORLD.formatted(policy) + steps, name -> Optional.empty()),
        log.calls());
  }

  private long begun(String rpc, String volume, String node) {
    return started(rpc, volume, node, "");
  }

  private void done(String rpc, String volume, String node, String path) {
    long call = started(rpc, volume, node, path);
    log.affected(call);
    log.ended(call, Status.Code.OK, "");
  }

  private long started(String rpc, String volume, String node, String path) {
    return log.started(new CallFacts("ebs", "n1", Rpc.parse(rpc), volume, node, path, false));
  }

  /** A system in which nothing ever happens, but for what its log says already. */
  private record Silent(CallLog calls) implements LiveSystem {

    @Override
    public Topics topics() {
      return Topics.withDefaultPrefix();
    }

    @Override
    public Registry registry() {
      return Registry.over(new MockSchemaRegistryClient());
    }

    @Override
    public void send(Topic topic, String key, byte @Nullable [] value) {
      // Nobody reads it.
    }

    @Override
    public List<ConsumerRecord<String, byte[]>> read() {
      return List.of();
    }

    @Override
    public boolean hasProcessed() {
      return true;
    }

    @Override
    public Stream<String> metrics() {
      return Stream.empty();
    }

    @Override
    public void run(PluginInstance instance) {
      throw new UnsupportedOperationException("the scenario has no plugin");
    }

    @Override
    public String secretReference(String name) {
      throw new UnsupportedOperationException("the scenario has no secret");
    }

    @Override
    public void secret(String name, @Nullable String value) {
      throw new UnsupportedOperationException("the scenario has no secret");
    }

    @Override
    public void restartStreams() {
      throw new UnsupportedOperationException("the scenario restarts nothing");
    }

    @Override
    public void close() {
      // Nothing runs.
    }
  }
}
