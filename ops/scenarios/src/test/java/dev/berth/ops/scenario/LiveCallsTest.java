package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Behaviour;
import dev.berth.driver.script.Plan;
import io.grpc.Status;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the drivers of a live run are told to do with a call. */
class LiveCallsTest {
  private final LiveCalls calls = new LiveCalls(false);

  @Test
  void aCallOfWhichTheFileSaysNothingIsAnswered() {
    assertThat(plan("CP", "v")).contains(at(Duration.ZERO, new Behaviour.Answer()));
  }

  @Test
  void aQuestionIsTheDriversOwnToAnswer() {
    assertThat(calls.plan(1, facts(Rpc.PROBE, ""))).isEmpty();
  }

  @Test
  void aScriptedErrorDoesNothingAndTakesItsTime() {
    script("{rpc: \"CU v\", with: [INTERNAL], delay: 3s}");

    assertThat(plan("CU", "v"))
        .contains(
            at(
                Duration.ofSeconds(3),
                new Behaviour.Fail(Status.Code.INTERNAL, "scripted INTERNAL")));
  }

  @Test
  void aDetachThatFindsNothingLeavesNothingAtTheProvider() {
    script("{rpc: \"CU v\", with: [NOT_FOUND]}");
    script("{rpc: \"CP v\", with: [NOT_FOUND]}");

    assertThat(plan("CU", "v"))
        .contains(
            at(
                Duration.ZERO,
                new Behaviour.FailAfterEffect(Status.Code.NOT_FOUND, "scripted NOT_FOUND")));
    assertThat(plan("CP", "v"))
        .contains(
            at(Duration.ZERO, new Behaviour.Fail(Status.Code.NOT_FOUND, "scripted NOT_FOUND")));
  }

  @Test
  void aCallThatTheFileAnswersItselfWaits() {
    Plan plan = new LiveCalls(true).plan(1, facts(Rpc.CONTROLLER_PUBLISH, "v")).orElseThrow();

    assertThat(plan.behaviour()).isInstanceOf(Behaviour.Held.class);
    assertThat(plan.delay()).isZero();
  }

  private void script(String text) {
    calls.add(YamlReader.read("t.yaml", "script: " + text).get("script").asFields());
  }

  private Optional<Plan> plan(String rpc, String volume) {
    return calls.plan(1, facts(Rpc.parse(rpc), volume));
  }

  private static CallFacts facts(Rpc rpc, String volume) {
    return new CallFacts("p", "n1", rpc, volume, "i-1", "", false);
  }

  private static Plan at(Duration delay, Behaviour behaviour) {
    return new Plan(behaviour, delay, false);
  }
}
