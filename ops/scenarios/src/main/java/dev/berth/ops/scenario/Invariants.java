package dev.berth.ops.scenario;

import dev.berth.records.ClaimDecision;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What must hold after every scenario, whether or not the file names it (FORMAT.md). */
final class Invariants {
  private Invariants() {}

  /**
   * What does not hold.
   *
   * @param what what was to hold
   * @param found what was found
   * @param about what it concerns
   */
  record Broken(String what, String found, About about) {}

  static List<Broken> broken(World world, boolean rowsEdited) {
    List<Broken> broken = new ArrayList<>();
    Map<String, List<Rpc>> lanes = new LinkedHashMap<>();
    world.made().stream()
        .filter(Rpc::toController)
        .forEach(rpc -> lanes.computeIfAbsent(rpc.lane(), lane -> new ArrayList<>()).add(rpc));
    lanes.forEach(
        (lane, rpcs) ->
            overlap(rpcs)
                .ifPresent(
                    found ->
                        broken.add(
                            new Broken(
                                "no two controller RPCs open together in lane " + lane,
                                found,
                                About.plugin(rpcs.get(0).plugin())))));
    world.made().stream()
        .filter(rpc -> rpc.toController() && rpc.externalNode().isEmpty())
        .forEach(
            rpc ->
                broken.add(
                    new Broken(
                        "no RPC with an empty node id",
                        rpc.text(),
                        new About(Subjects.of(rpc.call(), rpc.plugin())))));
    unsettled(world).forEach(broken::add);
    broken.addAll(SingleNodeRule.broken(world.story()));
    if (!rowsEdited) {
      // An edited row may say of a live claim that it is unmounted; the rest of its story is
      // missing.
      broken.addAll(DetachReasons.broken(world.story()));
      foldDiffers(world)
          .ifPresent(
              found ->
                  broken.add(
                      new Broken("the history folds to the table", found, About.everything())));
    }
    world
        .rows(ClaimTables.CLAIMS)
        .values()
        .forEach(
            claim ->
                unexplained(world, claim)
                    .ifPresent(
                        found ->
                            broken.add(
                                new Broken(
                                    "every claim is where something explains it",
                                    found,
                                    About.volume(claim.key().toString())))));
    return broken;
  }

  private static List<Broken> unsettled(World world) {
    return world.seen(Topic.CLAIM_HISTORY).stream()
        .map(Seen::value)
        .filter(ClaimDecision.class::isInstance)
        .map(ClaimDecision.class::cast)
        .filter(
            decision ->
                decision.getHappenings().stream()
                    .anyMatch(one -> one.getName().equals(ClaimsDecider.UNSETTLED)))
        .map(
            decision ->
                new Broken(
                    "every decision comes to rest",
                    "one of " + decision.getVolume() + " does not",
                    About.volume(decision.getNamespace() + "/" + decision.getVolume())))
        .toList();
  }

  /** Two RPCs that were open together. */
  static Optional<String> overlap(List<Rpc> rpcs) {
    for (int i = 1; i < rpcs.size(); i++) {
      Rpc before = rpcs.get(i - 1);
      Instant ended = before.ended();
      if (ended == null || ended.isAfter(rpcs.get(i).started())) {
        return Optional.of(before.text() + " and " + rpcs.get(i).text() + " were open together");
      }
    }
    return Optional.empty();
  }

  /** Rebuilding the table from the history must give the table. */
  private static Optional<String> foldDiffers(World world) {
    MapState folded = new MapState();
    world.seen(Topic.CLAIM_HISTORY).stream()
        .map(Seen::value)
        .filter(ClaimDecision.class::isInstance)
        .forEach(decision -> folded.applyAll(DecisionCodec.changes((ClaimDecision) decision)));
    Map<String, Claim> rebuilt = new TreeMap<>();
    for (State.Entry<Claim> entry : folded.scan(ClaimTables.CLAIMS, "")) {
      rebuilt.put(entry.key(), entry.value());
    }
    Map<String, Claim> stored = new TreeMap<>(world.rows(ClaimTables.CLAIMS));
    return rebuilt.equals(stored)
        ? Optional.empty()
        : Optional.of("it folds to " + rebuilt + " but the table is " + stored);
  }

  /**
   * A claim of which no row says why it is not further: it would stay where it is for ever, and
   * nobody would be told. A call for the volume that is on its way is a reason: its end is an event
   * for all of the volume's claims.
   */
  private static Optional<String> unexplained(World world, Claim claim) {
    boolean told = claim.hold() != null || claim.heldBy() != null;
    boolean explained =
        switch (claim.state()) {
          case WAITING -> told;
          case RESERVING -> told || claim.request() != null;
          case TAKEN -> claim.granted() || told || called(world, claim);
          // The client unmounts, or a call does.
          case UNPUBLISHING -> true;
          // Also another node's call: the machine may be the same.
          case NODE_DETACHED -> told || called(world, claim);
          case CONTROLLER_DETACHED -> false;
        };
    return explained ? Optional.empty() : Optional.of(claim.toString());
  }

  /** Whether a call for a claim's volume is asked for. */
  private static boolean called(World world, Claim claim) {
    return world.rows(ClaimTables.CLAIMS).values().stream()
            .filter(other -> other.key().equals(claim.key()))
            .anyMatch(other -> other.request() != null)
        || world.rows(ClaimTables.ATTACHMENTS).values().stream()
            .filter(other -> other.key().equals(claim.key()))
            .anyMatch(other -> other.request() != null);
  }
}
