package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AllocEvent;
import dev.berth.records.CommandResult;
import dev.berth.records.Node;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.Unmounted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** A story in which a rule holds, and the same without what made it right. */
class StandingRulesTest {
  private static final String WORLD =
      """
      id: T
      steps:
        - node: {id: n1, status: ready}
        - node: {id: n2, status: ready}
        - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
        - plugin: {id: ebs, node: n2, role: controller, health: healthy, attach: true}
        - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
        - plugin: {id: ebs, node: n2, role: node, health: healthy, external-node: i-2}
        - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
        - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer, stop-on-disconnect: 2m}
        - claim: {alloc: a2, node: n2, volume: vA, mode: write, access: single-node-writer}
      """;

  private static final String NO_REASON =
      "CU vol-a i-1 @%s while nothing says that a1 stopped using it there";

  private static final String NOT_ENDED =
      "CP vol-a i-2 rw @n1 after CP vol-a i-1 rw @n1, which nothing has ended";

  @Test
  void aReportedUnmountIsAReason() {
    List<Happened> story =
        story(
            """
              - alloc: {id: a1, status: complete}
              - unmounted: {alloc: a1, volume: vA}
            """);

    assertThat(broken(story)).isEmpty();
    assertThat(DetachReasons.broken(without(story, StandingRulesTest::isUnmounted)))
        .extracting(Invariants.Broken::found)
        .containsExactly(NO_REASON.formatted("n1"));
  }

  @Test
  void anAnsweredDetachEndsTheAttach() {
    List<Happened> story =
        story(
            """
              - alloc: {id: a1, status: complete}
              - unmounted: {alloc: a1, volume: vA}
            """);

    assertThat(
            SingleNodeRule.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Ended ended && ended.rpc().kind().equals("CU"))))
        .extracting(Invariants.Broken::found)
        .containsExactly(NOT_ENDED);
  }

  @Test
  void aDetachThatFailedEndsNothing() {
    List<Happened> story =
        story(
            """
              - script: {rpc: CU, with: [NOT_FOUND]}
              - alloc: {id: a1, status: complete}
              - unmounted: {alloc: a1, volume: vA}
            """);

    assertThat(broken(story)).isEmpty();
    List<Happened> lying =
        story.stream()
            .map(
                each ->
                    each instanceof Happened.Ended ended && ended.rpc().kind().equals("CU")
                        ? new Happened.Ended(ended.rpc(), null)
                        : each)
            .toList();
    assertThat(SingleNodeRule.broken(lying)).hasSize(1);
  }

  @Test
  void aFenceIsAReasonWhileItsAnswerIsOk() {
    List<Happened> story =
        story(
            """
              - node: {id: n1, status: down}
              - command: {fence: {node: n1}, by: op, reason: dead}
            """);

    assertThat(broken(story)).isEmpty();
    assertThat(
            DetachReasons.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().value() instanceof CommandResult)))
        .extracting(Invariants.Broken::found)
        .containsExactly(NO_REASON.formatted("n2"));
  }

  @Test
  void aNodeThatIsGoneIsAReason() {
    List<Happened> story =
        story(
            """
              - node: {id: n1, status: gone}
            """);

    assertThat(broken(story)).isEmpty();
    assertThat(
            DetachReasons.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().key().equals("n1")
                            && (written.record().bytes() == null
                                || (written.record().value() instanceof Node node
                                    && node.getStatus() == NodeStatus.GONE)))))
        .hasSize(1);
  }

  @Test
  void aKeptPromiseIsAReasonOnlyOnceItsTimeHasPassed() {
    List<Happened> story =
        story(
            """
              - node: {id: n1, status: disconnected}
              - advance: 3m
              - node: {id: n1, status: down}
            """);
    assertThat(story.stream().filter(StandingRulesTest::isDetach)).hasSize(1);

    assertThat(broken(story)).isEmpty();
    assertThat(
            DetachReasons.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().value() instanceof Node node
                            && node.getStatus() != NodeStatus.READY)))
        .hasSize(1);
  }

  @Test
  void anOperatorsWordEndsTheAttach() {
    List<Happened> story =
        story(
            """
              - script: {rpc: CU, with: [INTERNAL]}
              - alloc: {id: a1, status: complete}
              - unmounted: {alloc: a1, volume: vA}
              - advance: 10s
              - command: {assume-detached: {volume: vA, node: n1}, by: op, reason: seen}
              - advance: 10m
            """);
    assertThat(story)
        .anyMatch(
            each -> each instanceof Happened.Called called && called.rpc().is("CP vol-a i-2 rw"));

    assertThat(broken(story)).isEmpty();
    assertThat(
            SingleNodeRule.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().value() instanceof CommandResult)))
        .isNotEmpty();
  }

  @Test
  void whereDownCountsAsUnmountedItStaysSoWhenTheNodeIsBackBeforeTheDetach() {
    List<Happened> story =
        story(
            """
              - policy: {plugin: ebs, settings: {node-loss: detach}}
              - script: {rpc: CU, with: [UNAVAILABLE, ok]}
              - node: {id: n1, status: down}
              - node: {id: n1, status: ready}
              - advance: 1m
            """);
    assertThat(story.stream().filter(StandingRulesTest::isDetach)).hasSize(2);

    assertThat(broken(story)).isEmpty();
    assertThat(
            DetachReasons.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().value() instanceof Node node
                            && node.getStatus() == NodeStatus.DOWN)))
        .hasSize(2);
  }

  @Test
  void aUseWithoutAnAttachIsSeenUnderTheOtherNameOfItsMachine() {
    List<Happened> story =
        ScenarioRunner.story(
            Scenario.read(
                "t.yaml",
                """
                id: T
                steps:
                  - node: {id: n1, status: ready}
                  - node: {id: n2, status: ready}
                  - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
                  - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
                  - plugin: {id: ebs, node: n2, role: node, health: healthy, external-node: i-1}
                  - volume: {id: vM, plugin: ebs, external: vol-m, capabilities: [{access: multi-node-multi-writer}]}
                  - claim: {alloc: a1, node: n1, volume: vM, mode: write, access: multi-node-multi-writer}
                  - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: false}
                  - claim: {alloc: a2, node: n2, volume: vM, mode: write, access: multi-node-multi-writer}
                  - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
                  - unmounted: {alloc: a1, volume: vM}
                  - unmounted: {alloc: a2, volume: vM}
                """,
                name -> Optional.empty()));

    assertThat(broken(story)).isEmpty();
    assertThat(
            DetachReasons.broken(
                without(
                    story,
                    each ->
                        isUnmounted(each)
                            && each instanceof Happened.Written written
                            && written.record().value() instanceof AllocEvent event
                            && event.getAlloc().equals("a2"))))
        .extracting(Invariants.Broken::found)
        .containsExactly("CU vol-m i-1 @n1 while nothing says that a2 stopped using it there");
  }

  @Test
  void aRowThatGoesEndsTheAttachOnlyWhereThePluginDoesNotAttach() {
    List<Happened> story =
        story(
            """
              - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: false}
              - plugin: {id: ebs, node: n2, role: controller, health: healthy, attach: false}
              - alloc: {id: a1, status: complete}
              - unmounted: {alloc: a1, volume: vA}
              - alloc: {id: a2, status: complete}
              - unmounted: {alloc: a2, volume: vA}
              - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
              - plugin: {id: ebs, node: n2, role: controller, health: healthy, attach: true}
              - claim: {alloc: a3, node: n2, volume: vA, mode: write, access: single-node-writer}
            """);
    assertThat(story).noneMatch(StandingRulesTest::isDetach);

    assertThat(broken(story)).isEmpty();
    assertThat(
            SingleNodeRule.broken(
                without(
                    story,
                    each ->
                        each instanceof Happened.Written written
                            && written.record().value() instanceof PluginInstance instance
                            && instance.getRole() == PluginRole.CONTROLLER
                            && !instance.getAttach())))
        .extracting(Invariants.Broken::found)
        .containsExactly(NOT_ENDED);
  }

  private static boolean isUnmounted(Happened happened) {
    return happened instanceof Happened.Written written
        && written.record().value() instanceof AllocEvent event
        && event.getBody() instanceof Unmounted;
  }

  private static boolean isDetach(Happened happened) {
    return happened instanceof Happened.Called called && called.rpc().kind().equals("CU");
  }

  private static List<Invariants.Broken> broken(List<Happened> story) {
    List<Invariants.Broken> broken = new ArrayList<>(SingleNodeRule.broken(story));
    broken.addAll(DetachReasons.broken(story));
    return broken;
  }

  private static List<Happened> without(List<Happened> story, Predicate<Happened> left) {
    List<Happened> rest = story.stream().filter(left.negate()).toList();
    assertThat(rest).hasSizeLessThan(story.size());
    return rest;
  }

  private static List<Happened> story(String steps) {
    return ScenarioRunner.story(Scenario.read("t.yaml", WORLD + steps, name -> Optional.empty()));
  }
}
