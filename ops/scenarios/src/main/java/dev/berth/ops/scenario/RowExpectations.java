package dev.berth.ops.scenario;

import dev.berth.records.ClaimState;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Checks the rows there are now: claims, attachments, and the time until a claim's step is done.
 */
final class RowExpectations {
  private final World world;
  private final Failures failures;
  private final Map<String, Set<String>> volumesByAlloc;

  RowExpectations(World world, Failures failures, Map<String, Set<String>> volumesByAlloc) {
    this.world = world;
    this.failures = failures;
    this.volumesByAlloc = volumesByAlloc;
  }

  void table(String volume, Value expected) {
    Map<String, Claim> rows = new TreeMap<>();
    world.rows(ClaimTables.CLAIMS).values().stream()
        .filter(claim -> claim.key().toString().equals(Words.volumeKey(volume)))
        .forEach(claim -> rows.put(claim.alloc(), claim));
    Map<String, Value> wanted = expected.asFields().fields();
    About about = About.volume(Words.volumeKey(volume));
    failures.expect(
        expected.place(),
        "table " + volume,
        new ArrayList<>(new TreeMap<>(wanted).keySet()),
        new ArrayList<>(rows.keySet()),
        about);
    wanted.forEach(
        (alloc, fields) -> {
          Claim claim = rows.get(alloc);
          if (claim != null) {
            row("table " + volume + " " + alloc, claim, fields.asFields(), about);
          }
        });
  }

  private void row(String what, Claim claim, Value.Fields expected, About about) {
    expected
        .fields()
        .forEach(
            (name, value) ->
                failures.expect(
                    value.place(),
                    what + " " + name,
                    value.asText(),
                    switch (name) {
                      case "node" -> claim.node();
                      case "mode" -> Words.of(claim.ask().mode());
                      case "state" -> state(claim.state());
                      case "held-by" -> claim.heldBy() == null ? "" : claim.heldBy().alloc();
                      case "hold" -> claim.hold() == null ? "" : Words.of(claim.hold().code());
                      default ->
                          claim.stuck() && claim.hold() != null
                              ? Words.of(claim.hold().code())
                              : "";
                    },
                    about));
  }

  private static String state(ClaimState state) {
    return state == ClaimState.RESERVING ? "waiting" : Words.of(state);
  }

  void attachments(String volume, Value expected) {
    Map<String, String> actual = new TreeMap<>();
    // One whose node has no id at the provider has no name in a file, and no call was made for it.
    world.rows(ClaimTables.ATTACHMENTS).values().stream()
        .filter(a -> a.key().toString().equals(Words.volumeKey(volume)) && a.published())
        .filter(a -> a.externalNode() != null)
        .forEach(a -> actual.put(String.valueOf(a.externalNode()), Words.of(a.state())));
    failures.expect(
        expected.place(),
        "attachments " + volume,
        new TreeMap<>(expected.asTexts()),
        actual,
        About.volume(Words.volumeKey(volume)));
  }

  void eta(String alloc, Value range) {
    List<Duration> bounds = range.asItems().stream().map(Durations::parse).toList();
    Duration eta = world.eta(alloc).orElse(null);
    if (eta == null || eta.compareTo(bounds.get(0)) < 0 || eta.compareTo(bounds.get(1)) > 0) {
      failures.add(
          range.place(),
          "eta of " + alloc,
          range,
          eta == null ? "unknown" : Durations.since(eta).substring(1),
          About.volumes(volumesByAlloc.getOrDefault(alloc, Set.of())));
    }
  }
}
