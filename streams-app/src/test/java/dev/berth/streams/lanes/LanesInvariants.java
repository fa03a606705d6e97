package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.kernel.State;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What must hold of the lanes' tables between any two decisions. */
final class LanesInvariants {
  private LanesInvariants() {}

  static void check(State state) {
    Map<String, LaneCall> calls = rows(state.scan(LaneTables.REQUESTS, ""));
    Map<String, Attempt> attempts = rows(state.scan(LaneTables.ATTEMPTS, ""));
    everyAttemptHoldsItsLaneAlone(state, calls, attempts);
    indexesFollowFromRows(state, calls, attempts);
    countsFollowFromRows(state, calls);
    nobodyWaitsInALaneThatIsFree(state);
  }

  private static void everyAttemptHoldsItsLaneAlone(
      State state, Map<String, LaneCall> calls, Map<String, Attempt> attempts) {
    Map<String, String> lanes = new TreeMap<>();
    state
        .scan(LaneTables.LANES, "")
        .forEach(
            lane -> {
              if (lane.value().attemptId() != null) {
                lanes.put(lane.key(), lane.value().attemptId());
              }
            });
    Map<String, String> held = new TreeMap<>();
    attempts.values().forEach(a -> assertThat(held.put(a.work().lane(), a.id())).isNull());
    assertThat(held).isEqualTo(lanes);
    Map<String, String> open = new TreeMap<>();
    calls
        .values()
        .forEach(
            call -> {
              if (call.place() instanceof Place.Open place) {
                open.put(place.attemptId() + " " + call.requestId(), place.lane());
              }
            });
    Map<String, String> made = new TreeMap<>();
    for (Attempt attempt : attempts.values()) {
      for (int index = 0; index < attempt.size(); index++) {
        // Who was answered has settled; who was never made waits for the end of the run.
        if (attempt.end(index).filter(CallEnd::sent).isEmpty()) {
          made.put(attempt.id() + " " + attempt.requestId(index), attempt.work().lane());
        }
      }
    }
    assertThat(open).isEqualTo(made);
  }

  private static void indexesFollowFromRows(
      State state, Map<String, LaneCall> calls, Map<String, Attempt> attempts) {
    Set<String> queue = new TreeSet<>();
    Set<String> ages = new TreeSet<>();
    Set<String> held = new TreeSet<>();
    Set<String> due = new TreeSet<>();
    for (LaneCall call : calls.values()) {
      if (call.place() instanceof Place.Queued queued) {
        queue.add(LaneTables.queue(queued.lane(), call.kind(), queued.position()));
        ages.add(LaneTables.age(call));
      } else if (call.place() instanceof Place.Held hold) {
        String arrival = Sortable.number(call.arrival());
        held.add(LaneTables.heldOfPlugin(call.plugin()) + arrival);
        held.add(LaneTables.heldOfNode(call.call().node(), call.plugin()) + arrival);
        if (hold.hold().nextRetry() != null) {
          due.add(LaneTables.retryDue(hold.hold().nextRetry(), call));
        }
      }
    }
    attempts.values().forEach(a -> due.add(LaneTables.attemptDue(a.dueAt(), a.id())));
    assertThat(keys(state.scan(LaneTables.QUEUE, ""))).isEqualTo(queue);
    assertThat(keys(state.scan(LaneTables.AGES, ""))).isEqualTo(ages);
    assertThat(keys(state.scan(LaneTables.HELD, ""))).isEqualTo(held);
    assertThat(keys(state.scan(LaneTables.DUE, ""))).isEqualTo(due);
  }

  private static void countsFollowFromRows(State state, Map<String, LaneCall> calls) {
    Map<String, Long> queued = new HashMap<>();
    Map<String, Long> held = new HashMap<>();
    Map<String, Long> open = new HashMap<>();
    for (LaneCall call : calls.values()) {
      Map<String, Long> counts =
          call.place() instanceof Place.Queued
              ? queued
              : call.place() instanceof Place.Held ? held : open;
      counts.merge(call.plugin(), 1L, Long::sum);
    }
    for (State.Entry<PluginLanes> plugin : state.scan(LaneTables.PLUGIN_LANES, "")) {
      assertThat(plugin.value().queued()).isEqualTo(queued.getOrDefault(plugin.key(), 0L));
      assertThat(plugin.value().held()).isEqualTo(held.getOrDefault(plugin.key(), 0L));
      assertThat(plugin.value().inFlight()).isEqualTo(open.getOrDefault(plugin.key(), 0L));
    }
    Map<String, Long> slots = new TreeMap<>();
    for (State.Entry<SlotUse> slot : state.scan(LaneTables.SLOTS, "")) {
      String[] parts = slot.key().split("/", 3);
      slots.merge(parts[0] + "/" + parts[1], 1L, Long::sum);
      String pending = slot.value().pending();
      assertThat(pending == null || calls.containsKey(pending)).isTrue();
    }
    Map<String, Long> counted = new TreeMap<>();
    state
        .scan(LaneTables.SLOT_COUNTS, "")
        .forEach(count -> counted.put(count.key(), count.value().inUse()));
    assertThat(counted).isEqualTo(slots);
  }

  private static void nobodyWaitsInALaneThatIsFree(State state) {
    for (State.Entry<QueueEntry> entry : state.scan(LaneTables.QUEUE, "")) {
      String queue = entry.key().substring(0, entry.key().lastIndexOf('/'));
      String lane = queue.substring(0, queue.lastIndexOf('/'));
      Lane row = state.get(LaneTables.LANES, lane);
      PluginLanes plugin = state.get(LaneTables.PLUGIN_LANES, LaneTables.pluginOf(lane));
      boolean busy = row != null && row.open();
      assertThat(busy || (plugin != null && plugin.draining())).as("lane %s", lane).isTrue();
    }
  }

  private static <V> Map<String, V> rows(List<State.Entry<V>> entries) {
    Map<String, V> rows = new TreeMap<>();
    entries.forEach(entry -> rows.put(entry.key(), entry.value()));
    return rows;
  }

  private static Set<String> keys(List<? extends State.Entry<?>> entries) {
    Set<String> keys = new TreeSet<>();
    entries.forEach(entry -> keys.add(entry.key()));
    return keys;
  }
}
