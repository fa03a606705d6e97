package dev.berth.ops.scenario;

import dev.berth.schemas.topics.Topic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks what steps expect. Lists are seen once: each check sees what came since the one before it.
 */
final class Expectations {
  private static final String NOTHING_FURTHER = "nothing further";

  private final World world;
  private final Failures failures;
  private final Map<String, Set<String>> volumesByExternalId;
  private final RowExpectations rows;
  private final WrittenExpectations written;
  private int rpcsRead;

  Expectations(World world, Scenario scenario, Failures failures) {
    this.world = world;
    this.failures = failures;
    volumesByExternalId = scenario.volumesByExternalId();
    Map<String, Set<String>> volumesByAlloc = scenario.volumesByAlloc();
    rows = new RowExpectations(world, failures, volumesByAlloc);
    written = new WrittenExpectations(world, failures, volumesByAlloc);
  }

  /** Checks one step; what the world may still bring about is waited for. */
  void check(Value.Fields f) {
    int failed = failures.count();
    int rpcs = rpcsRead;
    Map<Topic, Integer> mark = written.mark();
    checkNow(f);
    while (failures.count() > failed && world.waitsForMore()) {
      failures.cutTo(failed);
      rpcsRead = rpcs;
      written.reset(mark);
      checkNow(f);
    }
  }

  private void checkNow(Value.Fields f) {
    f.find("rpcs").ifPresent(this::rpcs);
    f.find("open").ifPresent(this::open);
    f.find("table").ifPresent(v -> v.asFields().fields().forEach(rows::table));
    f.find("attachments").ifPresent(v -> v.asFields().fields().forEach(rows::attachments));
    f.find("replies").ifPresent(v -> written.replies(v.asFields()));
    f.find("stuck").ifPresent(written::stuck);
    f.find("events").ifPresent(written::events);
    f.find("counts").ifPresent(v -> v.asFields().fields().forEach(this::count));
    f.find("backlog").ifPresent(v -> v.asFields().fields().forEach(written::backlog));
    f.find("owner").ifPresent(v -> v.asFields().fields().forEach(written::owner));
    f.find("eta").ifPresent(v -> v.asFields().fields().forEach(rows::eta));
    f.find("findings").ifPresent(written::findings);
    f.find("no-overlap").ifPresent(v -> v.asItems().forEach(this::noOverlap));
    f.find("absent").ifPresent(v -> v.asItems().forEach(written::absent));
    f.find("result").ifPresent(written::result);
  }

  // ---- RPCs

  private void rpcs(Value expected) {
    List<Rpc> made = world.made();
    List<Rpc> fresh = new ArrayList<>(made.subList(rpcsRead, made.size()));
    rpcsRead = made.size();
    List<String> texts = fresh.stream().map(Rpc::text).toList();
    for (Value item : expected.asItems()) {
      List<Value> group = item instanceof Value.Items items ? items.items() : List.of(item);
      List<Rpc> head = new ArrayList<>(fresh.subList(0, Math.min(group.size(), fresh.size())));
      fresh.removeAll(head);
      for (Value notation : group) {
        if (!removeFirst(head, notation.asText())) {
          failures.add(notation.place(), "rpcs", notation, texts, about(notation, head));
          return;
        }
      }
    }
    if (!fresh.isEmpty()) {
      failures.add(expected.place(), "rpcs", NOTHING_FURTHER, texts, about(null, fresh));
    }
  }

  private void open(Value expected) {
    List<Rpc> open = new ArrayList<>(world.open());
    List<String> texts = open.stream().map(Rpc::text).toList();
    for (Value item : expected.asItems()) {
      if (!removeFirst(open, item.asText())) {
        failures.add(item.place(), "open", item, texts, about(item, List.of()));
        return;
      }
    }
    if (!open.isEmpty()) {
      failures.add(expected.place(), "open", NOTHING_FURTHER, texts, about(null, open));
    }
  }

  /** The volumes of an RPC that was expected and of some that were made. */
  private About about(@Nullable Value notation, Collection<Rpc> made) {
    Set<String> volumes = new LinkedHashSet<>();
    if (notation != null) {
      String external = notation.asText().split(" ", -1)[1];
      volumes.addAll(volumesByExternalId.getOrDefault(external, Set.of()));
    }
    made.forEach(rpc -> volumes.add(Subjects.volumeKey(rpc.call())));
    return About.volumes(volumes);
  }

  private static boolean removeFirst(List<Rpc> rpcs, String notation) {
    for (Rpc rpc : rpcs) {
      if (rpc.is(notation)) {
        rpcs.remove(rpc);
        return true;
      }
    }
    return false;
  }

  private void count(String kind, Value expected) {
    long made = world.made().stream().filter(rpc -> rpc.kind().equals(kind)).count();
    failures.expect(
        expected.place(),
        "counts " + kind,
        Long.valueOf(expected.asText()),
        made,
        About.everything());
  }

  private void noOverlap(Value plugin) {
    List<Rpc> rpcs =
        world.made().stream()
            .filter(r -> r.plugin().equals(plugin.asText()) && r.toController())
            .toList();
    Invariants.overlap(rpcs)
        .ifPresent(
            found ->
                failures.add(
                    plugin.place(),
                    "no-overlap " + plugin,
                    "no two controller RPCs together",
                    found,
                    About.plugin(plugin.asText())));
  }
}
