package dev.berth.ops.explore;

import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.Lane;
import dev.berth.streams.lanes.LaneCall;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.Place;
import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.lanes.QueueEntry;
import dev.berth.streams.lanes.SlotCount;
import dev.berth.streams.lanes.SlotUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** What must hold of the tables of the lanes between any two decisions. */
final class LaneRules {
  private LaneRules() {}

  static void check(Rows rows, Consumer<String> broken) {
    everyAttemptHoldsItsLaneAlone(rows, broken);
    indexesFollowFromCalls(rows, broken);
    countsFollowFromCalls(rows, broken);
    slotsAreCounted(rows, broken);
  }

  private static void everyAttemptHoldsItsLaneAlone(Rows rows, Consumer<String> broken) {
    Map<String, String> byLane = new TreeMap<>();
    for (State.Entry<Lane> lane : rows.scan(LaneTables.LANES, "")) {
      String attempt = lane.value().attemptId();
      if (attempt != null) {
        byLane.put(lane.key(), attempt);
      }
    }
    Map<String, String> made = new TreeMap<>();
    for (Attempt attempt : rows.values(LaneTables.ATTEMPTS)) {
      if (made.put(attempt.work().lane(), attempt.work().attemptId()) != null) {
        broken.accept("two attempts in lane " + attempt.work().lane());
      }
    }
    for (LaneCall call : rows.values(LaneTables.REQUESTS)) {
      if (call.place() instanceof Place.Open place
          && !place.attemptId().equals(byLane.get(place.lane()))) {
        broken.accept("call " + call.requestId() + " is out and does not hold " + place.lane());
      }
    }
    same("attempts by lane", byLane, made, broken);
  }

  private static void indexesFollowFromCalls(Rows rows, Consumer<String> broken) {
    List<String> queued = new ArrayList<>();
    List<String> held = new ArrayList<>();
    List<String> due = new ArrayList<>();
    for (LaneCall call : rows.values(LaneTables.REQUESTS)) {
      if (call.place() instanceof Place.Queued) {
        queued.add(call.requestId());
      } else if (call.place() instanceof Place.Held place) {
        held.add(call.requestId());
        held.add(call.requestId());
        if (place.hold().nextRetry() != null) {
          due.add(call.requestId());
        }
      }
    }
    rows.values(LaneTables.ATTEMPTS).forEach(attempt -> due.add(attempt.work().attemptId()));
    same("calls in line", sorted(queued), requests(rows, LaneTables.QUEUE), broken);
    same("calls by age", sorted(queued), requests(rows, LaneTables.AGES), broken);
    same("held calls", sorted(held), requests(rows, LaneTables.HELD), broken);
    same(
        "what is due",
        sorted(due),
        rows.values(LaneTables.DUE).stream().map(DueItem::id).sorted().toList(),
        broken);
  }

  private static List<String> requests(Rows rows, Table<QueueEntry> table) {
    return rows.values(table).stream().map(QueueEntry::requestId).sorted().toList();
  }

  private static List<String> sorted(List<String> list) {
    return list.stream().sorted().toList();
  }

  private static void countsFollowFromCalls(Rows rows, Consumer<String> broken) {
    for (PluginLanes plugin : rows.values(LaneTables.PLUGIN_LANES)) {
      long queued = 0;
      long held = 0;
      long open = 0;
      for (LaneCall call : rows.values(LaneTables.REQUESTS)) {
        if (call.plugin().equals(plugin.plugin())) {
          queued += call.place() instanceof Place.Queued ? 1 : 0;
          held += call.place() instanceof Place.Held ? 1 : 0;
          open += call.place() instanceof Place.Open ? 1 : 0;
        }
      }
      same(
          "calls of plugin " + plugin.plugin(),
          List.of(queued, held, open),
          List.of(plugin.queued(), plugin.held(), plugin.inFlight()),
          broken);
    }
  }

  private static void slotsAreCounted(Rows rows, Consumer<String> broken) {
    Map<String, Long> slots = new TreeMap<>();
    for (State.Entry<SlotUse> slot : rows.scan(LaneTables.SLOTS, "")) {
      String[] parts = slot.key().split("/", 3);
      slots.merge(parts[0] + "/" + parts[1], 1L, Long::sum);
      String pending = slot.value().pending();
      if (pending != null && rows.get(LaneTables.REQUESTS, pending) == null) {
        broken.accept("slot " + slot.key() + " waits for " + pending + ", which is settled");
      }
    }
    Map<String, Long> counted = new TreeMap<>();
    for (State.Entry<SlotCount> count : rows.scan(LaneTables.SLOT_COUNTS, "")) {
      counted.put(count.key(), count.value().inUse());
    }
    same("slots in use", slots, counted, broken);
  }

  /** No node has more than its slots, and what is attached has one. */
  static void slotsAreKept(
      Setup setup, Rows rows, List<Provider.Attached> attached, Consumer<String> broken) {
    long most = Objects.requireNonNullElse(setup.slots(), Long.MAX_VALUE);
    rows.scan(LaneTables.SLOT_COUNTS, "").stream()
        .filter(count -> count.value().inUse() > most)
        .forEach(count -> broken.accept(count.key() + " has more slots in use than " + most));
    Set<String> slots = new TreeSet<>();
    rows.scan(LaneTables.SLOTS, "").forEach(slot -> slots.add(slot.key()));
    for (Provider.Attached one : attached) {
      for (VolumeSpec spec : setup.volumes()) {
        String slot = spec.plugin() + "/" + one.node() + "/" + one.volume();
        if (spec.externalId().equals(one.volume()) && !slots.contains(slot)) {
          broken.accept("attached without a slot: " + one);
        }
      }
    }
  }

  private static <T> void same(String what, T one, T other, Consumer<String> broken) {
    if (!one.equals(other)) {
      broken.accept(what + " disagree: " + one + " and " + other);
    }
  }
}
