package dev.berth.streams.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.LaneRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What holds after every decision about a volume, whatever happened. */
final class ClaimInvariants {
  private static final List<Table<?>> RECORDED =
      List.of(
          ClaimTables.VOLUMES,
          ClaimTables.CLAIMS,
          ClaimTables.ATTACHMENTS,
          ClaimTables.ALLOC_MEMORY);

  private final VolumeKey key;
  private final MapState folded = new MapState();
  private final Map<String, Boolean> lettersOpen = new HashMap<>();

  ClaimInvariants(VolumeKey key, MapState start) {
    this.key = key;
    RECORDED.forEach(table -> copy(start, folded, table));
  }

  private static <V> void copy(State from, MapState to, Table<V> table) {
    from.scan(table, "").forEach(row -> to.apply(new Change.Put<>(table, row.key(), row.value())));
  }

  /** Checks a decision and the state that it led to. */
  void check(MapState after, Instant now, Policies policies, Decision<ClaimsEffect> decision) {
    historyFoldsToTheState(after, now, decision);
    capacityIsKept(after);
    oneNodeHasASingleNodeVolume(after);
    noDetachUnderAClaim(after, decision);
    deadLettersAreAsTheRowsSay(after, decision);
    everyClaimHasAReason(after, policies);
    indexesAgree(after);
  }

  private void historyFoldsToTheState(
      MapState after, Instant now, Decision<ClaimsEffect> decision) {
    folded.applyAll(
        DecisionCodec.changes(
            DecisionCodec.decision(key, DecisionCodec.timer("test"), now, 0, decision)));
    for (Table<?> table : RECORDED) {
      assertThat(folded.scan(table, "")).as("fold of the history").isEqualTo(after.scan(table, ""));
    }
  }

  private void capacityIsKept(MapState after) {
    Volume volume = after.get(ClaimTables.VOLUMES, key.toString());
    List<Claim> counting = claims(after).stream().filter(Claim::counts).toList();
    long writers = counting.stream().filter(claim -> claim.ask().writes()).count();
    if (volume == null || volume.access() == null) {
      assertThat(counting).as("rows without a mode").isEmpty();
      return;
    }
    switch (volume.access()) {
      case SINGLE_NODE_READER, SINGLE_NODE_WRITER -> assertThat(counting).hasSizeLessThan(2);
      case MULTI_NODE_READER -> assertThat(writers).isZero();
      case MULTI_NODE_SINGLE_WRITER -> assertThat(writers).isLessThan(2);
      case MULTI_NODE_MULTI_WRITER -> {}
    }
  }

  private void oneNodeHasASingleNodeVolume(MapState after) {
    Volume volume = after.get(ClaimTables.VOLUMES, key.toString());
    AccessMode mode = volume == null ? null : volume.access();
    if (mode == AccessMode.SINGLE_NODE_WRITER || mode == AccessMode.SINGLE_NODE_READER) {
      assertThat(uses(after)).hasSizeLessThan(2);
    }
  }

  private void noDetachUnderAClaim(MapState after, Decision<ClaimsEffect> decision) {
    for (ClaimsEffect effect : decision.effects()) {
      if (effect instanceof ClaimsEffect.Requested requested
          && requested.request().body() instanceof LaneRequest.Enqueue enqueue
          && enqueue.call().rpc() == CsiCall.CONTROLLER_UNPUBLISH) {
        assertThat(rowsOf(after, enqueue.call().node()))
            .as("rows under %s", Notation.call(enqueue.call()))
            .isNotEmpty()
            .allMatch(claim -> claim.state() == ClaimState.NODE_DETACHED);
      }
    }
    for (Attachment use : uses(after)) {
      if (use.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
        assertThat(rowsOf(after, use.node()))
            .as("rows under an open detach")
            .noneMatch(claim -> claim.granted() && claim.ending() == null);
      }
    }
  }

  private void deadLettersAreAsTheRowsSay(MapState after, Decision<ClaimsEffect> decision) {
    for (ClaimsEffect effect : decision.effects()) {
      if (effect instanceof ClaimsEffect.Stuck stuck) {
        lettersOpen.put(String.valueOf(stuck.letter().alloc()), true);
      } else if (effect instanceof ClaimsEffect.Resolved resolved) {
        assertThat(lettersOpen.remove(String.valueOf(resolved.letter().alloc())))
            .as("an open dead letter")
            .isNotNull();
      }
    }
    Set<String> reported = new TreeSet<>();
    claims(after).stream().filter(Claim::reported).forEach(claim -> reported.add(claim.alloc()));
    assertThat(new TreeSet<>(lettersOpen.keySet())).as("open dead letters").isEqualTo(reported);
  }

  private void everyClaimHasAReason(MapState after, Policies policies) {
    Volume volume = after.get(ClaimTables.VOLUMES, key.toString());
    for (Claim claim : claims(after)) {
      assertThat(reason(after, policies, volume, claim)).as("reason of %s", claim).isNotNull();
    }
  }

  private @Nullable String reason(
      MapState after, Policies policies, @Nullable Volume volume, Claim claim) {
    Attachment use = after.get(ClaimTables.ATTACHMENTS, key.of(claim.node()));
    boolean asked = claim.request() != null || (use != null && use.request() != null);
    if (claim.hold() != null || asked) {
      return "held or asked for";
    }
    return switch (claim.state()) {
      case WAITING ->
          volume != null
                  && Taking.holder(
                          new VolumeDraft(after, key, World.START, policies), volume, claim.ask())
                      != null
              ? "waits for capacity"
              : null;
      case RESERVING -> null;
      case TAKEN -> claim.granted() ? "granted" : null;
      case UNPUBLISHING -> NodeSteps.done(claim.nodeStep()) ? null : "waits for its client";
      case NODE_DETACHED ->
          counting(after, claim.node()).stream()
                  .anyMatch(sibling -> sibling.state() == ClaimState.UNPUBLISHING)
              ? "waits for a sibling's unmount"
              : null;
      case CONTROLLER_DETACHED -> null;
    };
  }

  private void indexesAgree(MapState after) {
    Set<String> byNode = new TreeSet<>();
    after.scan(ClaimTables.BY_NODE, "").forEach(row -> byNode.add(row.key()));
    Set<String> rows = new TreeSet<>();
    claims(after).forEach(claim -> rows.add(claim.node() + "/" + key.of(claim.alloc())));
    assertThat(byNode).as("index by node").isEqualTo(rows);
    Wake wake = after.get(ClaimTables.WAKES, key.toString());
    List<Wake> due = after.scan(ClaimTables.DUE, "").stream().map(State.Entry::value).toList();
    assertThat(due).as("wake-ups by time").isEqualTo(wake == null ? List.of() : List.of(wake));
    for (Attachment use : uses(after)) {
      assertThat(use.state() == AttachmentState.DETACHING && use.request() == null)
          .as("detaching without a call: %s", use)
          .isFalse();
    }
  }

  /** The rows on the machine that the volume is attached to under a node's name. */
  private List<Claim> rowsOf(MapState state, String node) {
    Attachment use = state.get(ClaimTables.ATTACHMENTS, key.of(node));
    return counting(state, node).stream()
        .filter(claim -> use == null || Machines.same(use, claim))
        .toList();
  }

  private List<Claim> counting(MapState state, String node) {
    return claims(state).stream().filter(c -> c.counts() && c.node().equals(node)).toList();
  }

  private List<Claim> claims(MapState state) {
    return state.scan(ClaimTables.CLAIMS, key.prefix()).stream().map(State.Entry::value).toList();
  }

  private List<Attachment> uses(MapState state) {
    return state.scan(ClaimTables.ATTACHMENTS, key.prefix()).stream()
        .map(State.Entry::value)
        .toList();
  }
}
