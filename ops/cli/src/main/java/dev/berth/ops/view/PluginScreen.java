package dev.berth.ops.view;

import dev.berth.ops.terminal.TextTable;
import dev.berth.proto.api.Breaker;
import dev.berth.proto.api.Lane;
import dev.berth.proto.api.OpenAttempt;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.proto.api.PluginLanes;
import java.util.List;

/** A plugin for people: which instances are well, what is out and in line, what fails. */
public final class PluginScreen {
  private final Moments moments;
  private final Lines lines = new Lines();

  private PluginScreen(Moments moments) {
    this.moments = moments;
  }

  /**
   * Its lines.
   *
   * @param lanes those of the plugin; none while nothing was ever asked of it
   */
  public static List<String> lines(Plugin plugin, List<PluginLanes> lanes, Moments moments) {
    PluginScreen screen = new PluginScreen(moments);
    screen.plugin(plugin);
    lanes.forEach(screen::lanes);
    screen.instances(plugin.getInstancesList());
    lanes.forEach(screen::calls);
    return screen.lines.lines();
  }

  private void plugin(Plugin plugin) {
    lines.head("Plugin " + plugin.getPlugin());
    lines.say(
        1,
        "controllers",
        plugin.getControllers() == 0
            ? plugin.getControllerRequired()
                ? "none, and one is required"
                : "none, none is required"
            : "%d of %d well".formatted(plugin.getHealthyControllers(), plugin.getControllers()));
    lines.say(1, "nodes", "%d of %d well".formatted(plugin.getHealthyNodes(), plugin.getNodes()));
    if (plugin.hasEmptySince()) {
      lines.say(1, "no instance", "since " + moments.since(plugin.getEmptySince()));
    }
  }

  private void lanes(PluginLanes lanes) {
    lines.say(
        1,
        "state",
        lanes.hasPause()
            ? "paused %s by %s: %s"
                .formatted(
                    moments.ago(lanes.getPause().getAt()),
                    lanes.getPause().getAuthor(),
                    lanes.getPause().getReason())
            : "running, one call at a time for each " + lanes.getScope());
    lines.say(
        1,
        "calls",
        "%d out, %d in line, %d held%s"
            .formatted(
                lanes.getOpen(),
                lanes.getQueued(),
                lanes.getHeld(),
                lanes.hasEstimatedDrain()
                    ? ", done in about "
                        + Moments.length(Moments.duration(lanes.getEstimatedDrain()))
                    : ""));
    lines.say(1, "controller", lanes.getControllerNode());
  }

  private void instances(List<PluginInstance> instances) {
    if (instances.isEmpty()) {
      return;
    }
    lines.head("Instances");
    TextTable table = new TextTable("ROLE", "NODE", "HEALTH", "PROVIDER'S ID", "SLOTS", "ROUTE");
    for (PluginInstance instance : instances) {
      table.row(
          MessageJson.word(instance.getRole().getValueDescriptor()),
          instance.getNode(),
          health(instance),
          orNothing(instance.getExternalNodeId()),
          instance.getMaxVolumes() == 0 ? Columns.NOTHING : instance.getMaxVolumes(),
          orNothing(instance.getRoute()));
    }
    table.lines(Lines.WIDTH - 2).forEach(lines::plain);
  }

  private static String health(PluginInstance instance) {
    String text = instance.getHealthText().isEmpty() ? "" : ": " + instance.getHealthText();
    return (instance.getHealthy() ? "well" : "not well" + text)
        + (instance.getNodeReady() ? "" : ", node not ready");
  }

  private void calls(PluginLanes lanes) {
    List<Lane> open = lanes.getLanesList().stream().filter(Lane::hasOpen).toList();
    if (!open.isEmpty()) {
      lines.head("Out");
      open.forEach(lane -> call(lane.getOpen()));
    }
    if (lanes.getBreakersCount() > 0) {
      lines.head("Failing nodes");
      lanes.getBreakersList().forEach(this::breaker);
    }
  }

  private void call(OpenAttempt attempt) {
    lines.plain(
        "%s, %s"
            .formatted(
                String.join("; ", attempt.getCallsList()),
                attempt.getWorker().isEmpty()
                    ? "waits for a worker since " + moments.age(attempt.getDispatchedAt())
                    : "at %s since %s"
                        .formatted(attempt.getWorker(), moments.age(attempt.getAcceptedAt()))));
  }

  private void breaker(Breaker breaker) {
    lines.say(
        1,
        breaker.getNode(),
        "failures in a row: %d%s"
            .formatted(
                breaker.getFailures(),
                breaker.hasTrialAt()
                    ? "; its calls yield to others until a trial "
                        + moments.in(breaker.getTrialAt())
                    : ""));
  }

  private static String orNothing(String text) {
    return text.isEmpty() ? Columns.NOTHING : text;
  }
}
