package dev.berth.streams.lanes;

import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.Settlement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One decision of the lanes in the making. The only place that writes calls and attempts: the
 * queue, the due list, the other indexes and the counts follow from the row written, so that they
 * cannot disagree with it.
 */
final class LanesDraft {
  private final Draft<LanesEffect> draft;
  private final Instant now;
  private final Policies policies;
  private final Set<String> lanesToStart = new LinkedHashSet<>();
  private final Map<String, String> fronts = new HashMap<>();
  private final Set<String> changedPlugins = new TreeSet<>();
  private final Set<NodeOfPlugin> changedSlots = new LinkedHashSet<>();

  private record NodeOfPlugin(String plugin, String node) {}

  LanesDraft(State state, Instant now, Policies policies) {
    this.draft = new Draft<>(state);
    this.now = Sortable.within(now);
    this.policies = policies;
  }

  State state() {
    return draft;
  }

  Instant now() {
    return now;
  }

  /** Policy for a call. */
  Policy policy(LaneCall call) {
    return policies.of(call.plugin(), call.volumeKey());
  }

  /** Policy of a plugin as a whole: lanes are shared by volumes, so no volume may bend them. */
  Policy policy(String plugin) {
    return policies.ofPlugin(plugin);
  }

  <V> @Nullable V get(Table<V> table, String key) {
    return draft.get(table, key);
  }

  <V> void put(Table<V> table, String key, V value) {
    draft.put(table, key, value);
  }

  void remove(Table<?> table, String key) {
    draft.remove(table, key);
  }

  void emit(LanesEffect effect) {
    draft.emit(effect);
  }

  PluginLanes plugin(String plugin) {
    PluginLanes known = draft.get(LaneTables.PLUGIN_LANES, plugin);
    return known != null ? known : PluginLanes.first(plugin, now, policy(plugin).lane());
  }

  void store(PluginLanes plugin) {
    draft.put(LaneTables.PLUGIN_LANES, plugin.plugin(), plugin);
    changedPlugins.add(plugin.plugin());
  }

  void store(LaneCall call) {
    LaneCall before = draft.get(LaneTables.REQUESTS, call.requestId());
    if (before != null) {
      unindex(before);
    }
    draft.put(LaneTables.REQUESTS, call.requestId(), call);
    index(call);
  }

  void remove(LaneCall call) {
    LaneCall stored = draft.get(LaneTables.REQUESTS, call.requestId());
    if (stored != null) {
      unindex(stored);
      draft.remove(LaneTables.REQUESTS, call.requestId());
    }
  }

  void store(Attempt attempt) {
    removeDue(draft.get(LaneTables.ATTEMPTS, attempt.id()));
    draft.put(LaneTables.ATTEMPTS, attempt.id(), attempt);
    draft.put(
        LaneTables.DUE,
        LaneTables.attemptDue(attempt.dueAt(), attempt.id()),
        new DueItem(DueItem.Kind.ATTEMPT, attempt.id()));
    changedPlugins.add(attempt.work().plugin());
  }

  void remove(Attempt attempt) {
    removeDue(draft.get(LaneTables.ATTEMPTS, attempt.id()));
    draft.remove(LaneTables.ATTEMPTS, attempt.id());
    changedPlugins.add(attempt.work().plugin());
  }

  Lane lane(String lane) {
    return Objects.requireNonNullElse(draft.get(LaneTables.LANES, lane), Lane.IDLE);
  }

  void store(String lane, Lane state) {
    if (state.equals(Lane.IDLE)) {
      draft.remove(LaneTables.LANES, lane);
    } else {
      draft.put(LaneTables.LANES, lane, state);
    }
  }

  /** Has a lane looked at before the decision is complete. */
  void startLater(String lane) {
    lanesToStart.add(lane);
  }

  /** Takes the lanes that are to be looked at, in order; none twice. */
  ArrayDeque<String> takeLanesToStart() {
    ArrayDeque<String> lanes = new ArrayDeque<>(lanesToStart);
    lanesToStart.clear();
    return lanes;
  }

  /**
   * First in a queue; null when it is empty. Looks on from where it looked last: while lanes are
   * started calls leave a queue but join none, and passing over all that left would take a time
   * that grows with their square.
   */
  State.@Nullable Entry<QueueEntry> front(String queue) {
    State.Entry<QueueEntry> first =
        draft.ceiling(LaneTables.QUEUE, queue, fronts.getOrDefault(queue, queue));
    if (first != null) {
      fronts.put(queue, first.key());
    }
    return first;
  }

  /** Answers a request. */
  void settle(LaneCall call, Settlement.Body body) {
    Settlement settlement =
        new Settlement(
            call.requestId(),
            call.volumeKey(),
            call.plugin(),
            call.call().externalNode(),
            now,
            body);
    if (settlement.outdatesListings(call.call().rpc())) {
      Listings.operated(this, call.plugin(), call.call().externalVolume());
    }
    emit(new LanesEffect.Settle(settlement));
  }

  /** Notes that the slots of a plugin on a node are to be told anew. */
  void slotsChanged(String plugin, String node) {
    changedSlots.add(new NodeOfPlugin(plugin, node));
  }

  long slotsInUse(String plugin, String node) {
    SlotCount count = draft.get(LaneTables.SLOT_COUNTS, LaneTables.slotsOf(plugin, node));
    return count == null ? 0 : count.inUse();
  }

  /** Most volumes of a node; null when unlimited or unknown. */
  @Nullable Long maxVolumes(String plugin, String node) {
    InstanceView instance = ClusterTables.nodeInstance(draft, plugin, node);
    return instance == null ? null : instance.maxVolumes();
  }

  /** The decision, with what it changed for those who watch. */
  Decision<LanesEffect> decision() {
    for (NodeOfPlugin of : changedSlots) {
      emit(new LanesEffect.SlotsChanged(NodeSlots.of(draft, of.plugin(), of.node(), now)));
    }
    changedPlugins.forEach(plugin -> emit(new LanesEffect.StatusChanged(plugin)));
    return draft.decision();
  }

  private void index(LaneCall call) {
    Place place = call.place();
    if (place instanceof Place.Queued queued) {
      QueueEntry entry = QueueEntry.of(call);
      draft.put(LaneTables.QUEUE, queueKey(call, queued), entry);
      draft.put(LaneTables.AGES, LaneTables.age(call), entry);
    } else if (place instanceof Place.Held held) {
      heldKeys(call).forEach(key -> draft.put(LaneTables.HELD, key, QueueEntry.of(call)));
      Instant next = held.hold().nextRetry();
      if (next != null) {
        draft.put(
            LaneTables.DUE,
            LaneTables.retryDue(next, call),
            new DueItem(DueItem.Kind.RETRY, call.requestId()));
      }
    }
    store(plugin(call.plugin()).counting(place, 1));
  }

  private void unindex(LaneCall call) {
    Place place = call.place();
    if (place instanceof Place.Queued queued) {
      draft.remove(LaneTables.QUEUE, queueKey(call, queued));
      draft.remove(LaneTables.AGES, LaneTables.age(call));
    } else if (place instanceof Place.Held held) {
      heldKeys(call).forEach(key -> draft.remove(LaneTables.HELD, key));
      Hold hold = held.hold();
      Instant next = hold.nextRetry();
      if (next != null) {
        draft.remove(LaneTables.DUE, LaneTables.retryDue(next, call));
      }
    }
    store(plugin(call.plugin()).counting(place, -1));
  }

  private void removeDue(@Nullable Attempt attempt) {
    if (attempt != null) {
      draft.remove(LaneTables.DUE, LaneTables.attemptDue(attempt.dueAt(), attempt.id()));
    }
  }

  private static String queueKey(LaneCall call, Place.Queued queued) {
    return LaneTables.queue(queued.lane(), call.kind(), queued.position());
  }

  private static List<String> heldKeys(LaneCall call) {
    String arrival = Sortable.number(call.arrival());
    return List.of(
        LaneTables.heldOfPlugin(call.plugin()) + arrival,
        LaneTables.heldOfNode(call.call().node(), call.plugin()) + arrival);
  }
}
