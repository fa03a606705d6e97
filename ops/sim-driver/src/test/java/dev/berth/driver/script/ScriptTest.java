package dev.berth.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScriptTest {

  private static final Latency USUAL = Latency.fixed(Duration.ofSeconds(1));
  private static final Plan AS_USUAL =
      new Plan(new Behaviour.Answer(), Duration.ofSeconds(1), false);

  private static CallFacts call(Rpc rpc, String volume, String node) {
    return new CallFacts("p", "c", rpc, volume, node, "", false);
  }

  private static final CallFacts ATTACH = call(Rpc.CONTROLLER_PUBLISH, "v", "n");

  @Test
  void withoutRulesCallsAreAnsweredInTheUsualTime() {
    assertThat(Script.empty().next(ATTACH, USUAL)).isEqualTo(AS_USUAL);
  }

  @Test
  void ruleIsForItsRpcsVolumeAndNode() {
    Script script =
        Script.of(Rule.on(Rpc.CONTROLLER_PUBLISH, Rpc.NODE_STAGE).volume("v").node("n").hang());

    assertThat(
            Stream.of(
                    ATTACH,
                    call(Rpc.NODE_STAGE, "v", "n"),
                    call(Rpc.CONTROLLER_UNPUBLISH, "v", "n"),
                    call(Rpc.CONTROLLER_PUBLISH, "w", "n"),
                    call(Rpc.CONTROLLER_PUBLISH, "v", "o"))
                .map(facts -> script.next(facts, USUAL).behaviour() instanceof Behaviour.Hang))
        .containsExactly(true, true, false, false, false);
  }

  @Test
  void ruleForNoRpcIsForAll() {
    Script script = Script.of(Rule.on().fail(Status.Code.UNAVAILABLE, "down"));

    assertThat(script.next(call(Rpc.PROBE, "", ""), USUAL).behaviour())
        .isEqualTo(new Behaviour.Fail(Status.Code.UNAVAILABLE, "down"));
  }

  @Test
  void ruleCountsOnlyWhatMatchesIt() {
    Script script = Script.of(Rule.on(Rpc.CONTROLLER_PUBLISH).volume("v").calls(2, 3).hang());

    assertThat(
            Stream.of("v", "w", "v", "w", "v", "v")
                .map(volume -> script.next(call(Rpc.CONTROLLER_PUBLISH, volume, "n"), USUAL))
                .map(plan -> plan.behaviour() instanceof Behaviour.Hang))
        .containsExactly(false, false, true, false, true, false);
  }

  @Test
  void lastRuleThatAppliesWins() {
    Script script =
        Script.of(
            Rule.on(Rpc.CONTROLLER_PUBLISH).hang(),
            Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).loseReply());

    assertThat(script.next(ATTACH, USUAL).behaviour()).isEqualTo(new Behaviour.LoseReply());
    assertThat(script.next(ATTACH, USUAL).behaviour()).isEqualTo(new Behaviour.Hang());
  }

  @Test
  void ruleAddedLaterCountsFromThen() {
    Script script = Script.empty();
    script.next(ATTACH, USUAL);
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).hang());

    assertThat(script.next(ATTACH, USUAL).behaviour()).isEqualTo(new Behaviour.Hang());
  }

  @Test
  void clearedScriptHasNoRules() {
    Script script = Script.of(Rule.on().hang());
    script.clear();

    assertThat(script.next(ATTACH, USUAL)).isEqualTo(AS_USUAL);
  }

  @Test
  void ruleSaysHowLongAndWhetherToGoOnAlone() {
    Script script =
        Script.of(Rule.on().takes(Latency.fixed(Duration.ofMinutes(1))).finishingAfterCancel());

    assertThat(script.next(ATTACH, USUAL))
        .isEqualTo(new Plan(new Behaviour.Answer(), Duration.ofMinutes(1), true));
  }

  @Test
  void seedDecidesTheTimes() {
    Latency latency = Latency.uniform(Duration.ZERO, Duration.ofSeconds(9));

    assertThat(delays(Script.seeded(3), latency)).isEqualTo(delays(Script.seeded(3), latency));
    assertThat(delays(Script.seeded(3), latency)).isNotEqualTo(delays(Script.seeded(4), latency));
  }

  private static List<Duration> delays(Script script, Latency latency) {
    return Stream.generate(() -> script.next(ATTACH, latency).delay()).limit(20).toList();
  }

  @Test
  void impossibleRulesAreRefused() {
    assertThatThrownBy(() -> Rule.on().calls(3, 2))
        .hasMessage("calls 3 to 2: the first is at least 1 and the last not before it");
    assertThatThrownBy(() -> Rule.on().call(0))
        .hasMessage("calls 0 to 0: the first is at least 1 and the last not before it");
    assertThatThrownBy(() -> Rule.on().fail(Status.Code.OK, ""))
        .hasMessage("code OK is not a failure; use answer");
  }

  @Test
  void directorsWordWinsOverRulesAndWhatItLeavesIsTheirs() {
    Plan said = new Plan(new Behaviour.AnswerWith(Map.of("device", "x")), Duration.ZERO, true);
    Script script =
        Script.directed((call, facts) -> call == 7 ? Optional.of(said) : Optional.empty());
    script.add(Rule.on().fail(Status.Code.UNAVAILABLE, "down"));

    assertThat(script.next(7, ATTACH, USUAL)).isEqualTo(said);
    assertThat(script.next(8, ATTACH, USUAL).behaviour())
        .isEqualTo(new Behaviour.Fail(Status.Code.UNAVAILABLE, "down"));
  }

  @Test
  void rulesDoNotCountCallsThatTheDirectorAnswers() {
    Plan said = new Plan(new Behaviour.Answer(), Duration.ZERO, false);
    Script script =
        Script.directed((call, facts) -> call == 1 ? Optional.of(said) : Optional.empty());
    script.add(Rule.on(Rpc.CONTROLLER_PUBLISH).call(1).hang());

    assertThat(script.next(1, ATTACH, USUAL)).isEqualTo(said);
    assertThat(script.next(2, ATTACH, USUAL).behaviour()).isEqualTo(new Behaviour.Hang());
  }

  @Test
  void contextToAnswerWithIsKeptAsItWasGiven() {
    Map<String, String> given = new HashMap<>(Map.of("device", "x"));
    Behaviour.AnswerWith answer = new Behaviour.AnswerWith(given);

    given.put("device", "y");

    assertThat(answer.context()).isEqualTo(Map.of("device", "x"));
  }
}
