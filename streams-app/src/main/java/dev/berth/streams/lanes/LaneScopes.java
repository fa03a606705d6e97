package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policy.LaneScope;
import dev.berth.streams.work.Work;
import java.util.Comparator;
import java.util.List;

/** What happens to the lanes of a plugin when a new policy lets its calls share lanes otherwise. */
final class LaneScopes {
  private LaneScopes() {}

  /** Takes the scopes of the policies in force; calls in line move to their new lanes in order. */
  static void refresh(LanesDraft draft) {
    for (State.Entry<PluginLanes> entry : draft.state().scan(LaneTables.PLUGIN_LANES, "")) {
      PluginLanes plugin = entry.value();
      LaneScope scope = draft.policy(plugin.plugin()).lane();
      if (scope != plugin.scope()) {
        draft.store(plugin.withScope(scope, true));
        moveQueued(draft, plugin.plugin(), scope);
      }
    }
  }

  /** Whether no controller attempt of an earlier scope is open any more. */
  static boolean drained(LanesDraft draft, PluginLanes plugin) {
    return draft.state().scan(LaneTables.ATTEMPTS, plugin.plugin() + "/").stream()
        .map(State.Entry::value)
        .filter(attempt -> attempt.work().toController())
        .allMatch(attempt -> ofScope(attempt, plugin.scope()));
  }

  /** Has every lane of a plugin looked at. */
  static void startAllOf(LanesDraft draft, String plugin) {
    startAll(draft, plugin + "/");
  }

  /** Has every lane in which somebody waits looked at; an empty prefix stands for all. */
  static void startAll(LanesDraft draft, String prefix) {
    State.Entry<QueueEntry> entry = draft.state().first(LaneTables.QUEUE, prefix);
    while (entry != null) {
      // lane/kind/position: on to the first key behind this queue.
      String queue = entry.key().substring(0, entry.key().lastIndexOf('/'));
      draft.startLater(queue.substring(0, queue.lastIndexOf('/')));
      entry = draft.state().ceiling(LaneTables.QUEUE, prefix, queue + '0');
    }
  }

  private static boolean ofScope(Attempt attempt, LaneScope scope) {
    Work work = attempt.work();
    return work.calls().stream()
        .allMatch(call -> LaneTables.lane(work.plugin(), call.call(), scope).equals(work.lane()));
  }

  private static void moveQueued(LanesDraft draft, String plugin, LaneScope scope) {
    List<LaneCall> queued =
        draft.state().scan(LaneTables.AGES, plugin + "/").stream()
            .map(entry -> draft.get(LaneTables.REQUESTS, entry.value().requestId()))
            .filter(call -> call != null && call.place() instanceof Place.Queued)
            .sorted(Comparator.comparingLong(LaneScopes::position))
            .toList();
    for (LaneCall call : queued) {
      String lane = LaneTables.lane(call, scope);
      draft.store(call.at(new Place.Queued(lane, position(call))));
      draft.startLater(lane);
    }
  }

  private static long position(LaneCall call) {
    return call.place() instanceof Place.Queued queued ? queued.position() : 0;
  }
}
