package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What changes of the cluster mean for held calls: the event that removes the cause is the moment
 * to go on. Nobody waits out a backoff that has lost its reason, and nobody polls.
 */
final class Waking {
  /** Holds that no change of the cluster ends. */
  private static final Set<HoldCode> ELSEWHERE =
      Set.of(HoldCode.PLUGIN_PAUSED, HoldCode.SECRET_UNAVAILABLE);

  private Waking() {}

  static void nodeChanged(LanesDraft draft, LanesEvent.NodeChanged event) {
    NodeView node = ClusterTables.node(draft.state(), event.node());
    boolean ready = node != null && node.ready();
    Attempts.nodeChanged(draft, event.node());
    wakeHeld(
        draft, LaneTables.heldOfNode(event.node()), call -> ready && !call.call().toController());
    // Controllers run on nodes: with the node they come and go.
    for (State.Entry<PluginView> plugin : draft.state().scan(ClusterTables.PLUGINS, "")) {
      boolean runsThere =
          ClusterTables.controllers(draft.state(), plugin.value().plugin()).stream()
              .anyMatch(controller -> controller.node().equals(event.node()));
      if (runsThere) {
        // A controller is back with its node, or another one takes over from it.
        wakeHeld(
            draft,
            LaneTables.heldOfPlugin(plugin.value().plugin()),
            call -> call.call().toController());
      }
    }
  }

  static void instanceChanged(LanesDraft draft, LanesEvent.InstanceChanged event) {
    if (event.role() == PluginRole.CONTROLLER) {
      wakeHeld(
          draft,
          LaneTables.heldOfPlugin(event.plugin()),
          call -> event.better() && call.call().toController());
    } else {
      wakeHeld(
          draft,
          LaneTables.heldOfNode(event.node(), event.plugin()),
          call -> event.better() && !call.call().toController());
      draft.slotsChanged(event.plugin(), event.node());
    }
  }

  static void pluginChanged(LanesDraft draft, LanesEvent.PluginChanged event) {
    wakeHeld(draft, LaneTables.heldOfPlugin(event.plugin()), call -> false);
  }

  /**
   * A worker found secrets that calls had missed: those calls, and no others, are tried at once.
   */
  static void secretsFound(LanesDraft draft, LanesEvent.SecretsFound event) {
    String prefix = LaneTables.heldOfPlugin(event.plugin());
    for (State.Entry<QueueEntry> entry : draft.state().scan(LaneTables.HELD, prefix)) {
      LaneCall call = draft.get(LaneTables.REQUESTS, entry.value().requestId());
      if (call != null
          && call.place() instanceof Place.Held held
          && held.hold().code() == HoldCode.SECRET_UNAVAILABLE
          && event.references().stream().anyMatch(reference -> refers(call.call(), reference))) {
        Retries.enterLane(draft, call);
      }
    }
  }

  private static boolean refers(Call call, String reference) {
    return Stream.concat(call.secrets().values().stream(), call.mountFlags().stream())
        .anyMatch(text -> text.contains(reference));
  }

  /** Wakes held calls in the order of arrival; {@code recovered} says for which a retry is due. */
  private static void wakeHeld(LanesDraft draft, String prefix, Predicate<LaneCall> recovered) {
    for (State.Entry<QueueEntry> entry : draft.state().scan(LaneTables.HELD, prefix)) {
      LaneCall call = draft.get(LaneTables.REQUESTS, entry.value().requestId());
      if (call != null && call.place() instanceof Place.Held held) {
        look(draft, call, held.hold(), recovered.test(call));
      }
    }
  }

  private static void look(LanesDraft draft, LaneCall call, Hold hold, boolean recovered) {
    boolean structural = Readiness.STRUCTURAL.contains(hold.code());
    boolean failed = !structural && !ELSEWHERE.contains(hold.code());
    if (!structural && !(failed && recovered)) {
      return;
    }
    Readiness readiness = Readiness.of(draft, call, List.of());
    if (!(readiness instanceof Readiness.Blocked blocked)) {
      Retries.enterLane(draft, call);
    } else if (structural && blocked.code() != hold.code()) {
      Retries.holdOtherwise(draft, call, hold, blocked);
    }
  }
}
