package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.kernel.State;
import java.util.List;
import java.util.stream.Stream;

/**
 * An operator stops and resumes a plugin, for example while its provider is under maintenance. The
 * open call ends; nothing else starts, uses up attempts or is lost (R08).
 */
final class Pausing {
  private Pausing() {}

  static void commanded(LanesDraft draft, Command command) {
    if (command.body() instanceof Command.PausePlugin pause) {
      answer(draft, pause(draft, command, pause.plugin()));
    } else if (command.body() instanceof Command.ResumePlugin resume) {
      answer(draft, resume(draft, command, resume.plugin()));
    }
  }

  private static Answer pause(LanesDraft draft, Command command, String id) {
    PluginLanes plugin = draft.plugin(id);
    PluginLanes.Pause inForce = plugin.pause();
    if (inForce != null) {
      String message = "plugin " + id + " is paused already, by " + inForce.by();
      return Answer.refused(command, Refusal.NO_CHANGE, message, draft.now());
    }
    if (!known(draft, id)) {
      return Answer.refused(command, Refusal.NOT_FOUND, unknown(id), draft.now());
    }
    PluginLanes.Pause pause = new PluginLanes.Pause(command.by(), command.reason(), draft.now());
    draft.store(plugin.withPause(pause));
    List<LaneCall> waiting = queued(draft, id);
    waiting.forEach(call -> Retries.holdPaused(draft, call, pause));
    String message =
        "plugin %s is paused: calls held %d, calls still open %d"
            .formatted(id, waiting.size(), plugin.inFlight());
    return Answer.done(command, message, draft.now());
  }

  private static Answer resume(LanesDraft draft, Command command, String id) {
    PluginLanes plugin = draft.plugin(id);
    if (plugin.pause() == null && !known(draft, id)) {
      return Answer.refused(command, Refusal.NOT_FOUND, unknown(id), draft.now());
    }
    if (plugin.pause() == null) {
      String message = "plugin " + id + " is not paused";
      return Answer.refused(command, Refusal.NO_CHANGE, message, draft.now());
    }
    draft.store(plugin.withPause(null));
    List<LaneCall> waiting = paused(draft, id);
    waiting.forEach(call -> Retries.enterLane(draft, call));
    String message = "plugin %s goes on: calls woken %d".formatted(id, waiting.size());
    return Answer.done(command, message, draft.now());
  }

  private static String unknown(String plugin) {
    return "no instance of plugin " + plugin + " has been reported; check its id";
  }

  private static boolean known(LanesDraft draft, String plugin) {
    return ClusterTables.plugin(draft.state(), plugin) != null
        || draft.get(LaneTables.PLUGIN_LANES, plugin) != null;
  }

  private static List<LaneCall> queued(LanesDraft draft, String plugin) {
    return calls(draft, draft.state().scan(LaneTables.AGES, plugin + "/"));
  }

  private static List<LaneCall> paused(LanesDraft draft, String plugin) {
    String held = LaneTables.heldOfPlugin(plugin);
    return calls(draft, draft.state().scan(LaneTables.HELD, held)).stream()
        .filter(
            call ->
                call.place() instanceof Place.Held hold
                    && hold.hold().code() == HoldCode.PLUGIN_PAUSED)
        .toList();
  }

  private static List<LaneCall> calls(LanesDraft draft, List<State.Entry<QueueEntry>> entries) {
    return entries.stream()
        .map(entry -> draft.get(LaneTables.REQUESTS, entry.value().requestId()))
        .flatMap(Stream::ofNullable)
        .toList();
  }

  private static void answer(LanesDraft draft, Answer answer) {
    draft.emit(new LanesEffect.Answered(answer));
  }
}
