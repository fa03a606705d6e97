package dev.berth.ops.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Call;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimState;
import dev.berth.records.Happening;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A world in which the standing rules hold, and the same with one thing in it made wrong. */
class InvariantsTest {
  private static final List<Happened> STORY =
      ScenarioRunner.story(
          Scenario.read(
              "t.yaml",
              """
              id: T
              steps:
                - node: {id: n1, status: ready}
                - plugin: {id: ebs, node: n1, role: controller, health: healthy, attach: true}
                - plugin: {id: ebs, node: n1, role: node, health: healthy, external-node: i-1}
                - volume: {id: vA, plugin: ebs, external: vol-a, capabilities: [{access: single-node-writer}]}
                - claim: {alloc: a1, node: n1, volume: vA, mode: write, access: single-node-writer}
                - script: {rpc: CU, with: [UNAVAILABLE]}
                - alloc: {id: a1, status: complete}
                - unmounted: {alloc: a1, volume: vA}
              """,
              name -> Optional.empty()));

  private final List<Rpc> made =
      new ArrayList<>(
          STORY.stream()
              .filter(Happened.Called.class::isInstance)
              .map(called -> ((Happened.Called) called).rpc())
              .toList());

  private final List<ClaimDecision> history =
      new ArrayList<>(
          Happened.records(STORY)
              .map(Seen::value)
              .filter(ClaimDecision.class::isInstance)
              .map(ClaimDecision.class::cast)
              .toList());

  private boolean detachWasAskedFor = true;

  @Test
  void allHoldInTheWorldAsItWas() {
    assertThat(made).extracting(Rpc::kind).startsWith("CP", "CU");
    assertThat(table()).hasSize(1);

    assertThat(Invariants.broken(world(table()), false)).isEmpty();
  }

  @Test
  void aDecisionThatDoesNotComeToRestIsBroken() {
    Happening unsettled = new Happening(ClaimsDecider.UNSETTLED, null, null, null, "for ever");
    history.set(
        1, ClaimDecision.newBuilder(history.get(1)).setHappenings(List.of(unsettled)).build());

    assertThat(Invariants.broken(world(table()), false))
        .containsExactly(
            new Invariants.Broken(
                "every decision comes to rest", "one of vA does not", About.volume("default/vA")));
  }

  @Test
  void aCallBesideOneThatIsOpenIsBroken() {
    Rpc attach = made.get(0);
    made.set(0, new Rpc(attach.work(), attach.index(), attach.started()));

    assertThat(Invariants.broken(world(table()), false))
        .extracting(Invariants.Broken::found)
        .containsExactly("CP vol-a i-1 rw @n1 and CU vol-a i-1 @n1 were open together");
  }

  @Test
  void aControllerCallWithoutANodeIsBroken() {
    Rpc last = made.get(made.size() - 1);
    Call call = Call.newBuilder(last.call()).setExternalNode("").build();
    WorkCall only = new WorkCall(last.work().getCalls().get(last.index()).getRequestId(), call);
    made.set(
        made.size() - 1,
        new Rpc(Work.newBuilder(last.work()).setCalls(List.of(only)).build(), 0, last.started()));

    assertThat(Invariants.broken(world(table()), false))
        .extracting(Invariants.Broken::what)
        .containsExactly("no RPC with an empty node id");
  }

  @Test
  void aTableThatTheHistoryDoesNotFoldToIsBroken() {
    assertThat(Invariants.broken(world(Map.of()), false))
        .extracting(Invariants.Broken::what)
        .containsExactly("the history folds to the table");
  }

  @Test
  void aClaimThatNothingExplainsIsBroken() {
    while (table().values().stream().anyMatch(row -> row.hold() != null)) {
      history.remove(history.size() - 1);
    }
    assertThat(table().values()).extracting(Claim::state).containsExactly(ClaimState.NODE_DETACHED);
    assertThat(Invariants.broken(world(table()), false)).isEmpty();

    detachWasAskedFor = false;

    assertThat(Invariants.broken(world(table()), false))
        .extracting(Invariants.Broken::what)
        .containsExactly("every claim is where something explains it");
  }

  /** The rows that the history folds to. */
  private Map<String, Claim> table() {
    return rows(ClaimTables.CLAIMS);
  }

  private <V> Map<String, V> rows(Table<V> table) {
    MapState folded = new MapState();
    history.forEach(decision -> folded.applyAll(DecisionCodec.changes(decision)));
    Map<String, V> rows = new TreeMap<>();
    for (State.Entry<V> entry : folded.scan(table, "")) {
      rows.put(entry.key(), entry.value());
    }
    return rows;
  }

  /** A world that only shows: what was made, what was written, the rows. */
  private World world(Map<String, Claim> claims) {
    List<Seen> records =
        history.stream()
            .map(it -> new Seen(it.getNow(), Topic.CLAIM_HISTORY, "", new byte[0], () -> it))
            .toList();
    Map<String, Attachment> attachments =
        detachWasAskedFor ? rows(ClaimTables.ATTACHMENTS) : Map.of();
    return (World)
        Proxy.newProxyInstance(
            World.class.getClassLoader(),
            new Class<?>[] {World.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "made" -> List.copyOf(made);
                  case "seen" -> records;
                  case "story" -> STORY;
                  case "rows" -> arguments[0].equals(ClaimTables.CLAIMS) ? claims : attachments;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
