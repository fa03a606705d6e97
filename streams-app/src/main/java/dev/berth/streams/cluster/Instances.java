package dev.berth.streams.cluster;

import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.DurationText;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Plugin instances and the plugin records that come and go with them. */
final class Instances {
  /** How often a worker reports what it serves, also when nothing has changed. */
  static final Duration REPORT_PERIOD = Duration.ofSeconds(30);

  /** Three reports missed: one may be late, two may be a rebalance. */
  static final Duration SILENCE = REPORT_PERIOD.multipliedBy(3);

  private Instances() {}

  /** A worker reports an instance. */
  static void report(ClusterDraft draft, InstanceReport report) {
    String problem = problem(report);
    if (problem != null) {
      draft.reject(problem);
    } else if (report.health() == PluginHealth.REMOVED) {
      if (!fromFormerWorker(draft, report)) {
        remove(draft, report.plugin(), report.node(), report.role());
      }
    } else {
      hear(draft, report);
      hold(draft, report);
      InstanceView view = report.view();
      if (!view.equals(draft.tables().get(ClusterTables.INSTANCES, view.key()))) {
        draft.announce(new ClusterSignal.InstanceChanged(view));
      }
    }
  }

  /** Removes an instance, if there is one. The plugin's record stays, and remembers since when. */
  static void remove(ClusterDraft draft, String plugin, String node, PluginRole role) {
    ClusterSignal.InstanceRemoved removed = new ClusterSignal.InstanceRemoved(plugin, node, role);
    draft.tables().remove(OwnTables.SIGHTINGS, removed.key());
    if (draft.tables().get(ClusterTables.INSTANCES, removed.key()) == null) {
      return;
    }
    draft.announce(removed);
    PluginView record = ClusterTables.plugin(draft.tables(), plugin);
    if (record != null && draft.tables().first(ClusterTables.INSTANCES, plugin + "/") == null) {
      draft.announce(
          new ClusterSignal.PluginChanged(
              new PluginView(plugin, record.controllerRequired(), draft.now())));
    }
  }

  /** Instances that their workers no longer report are not well, whatever the last report said. */
  static void markSilent(ClusterDraft draft, ClusterClock clock) {
    for (State.Entry<Sighting> row : draft.tables().scan(OwnTables.SIGHTINGS, "")) {
      InstanceView view = draft.tables().get(ClusterTables.INSTANCES, row.key());
      if (view != null && silence(row.value(), clock).compareTo(SILENCE) >= 0) {
        InstanceView silent = silent(view, row.value().worker());
        if (!silent.equals(view)) {
          draft.announce(new ClusterSignal.InstanceChanged(silent));
        }
      }
    }
  }

  /** How long nothing was heard, as far as {@code Cluster} was there to hear it. */
  static Duration silence(Sighting sighting, ClusterClock clock) {
    Instant since =
        sighting.heardAt().isAfter(clock.listeningSince())
            ? sighting.heardAt()
            : clock.listeningSince();
    return Duration.between(since, clock.lastTick());
  }

  private static @Nullable String problem(InstanceReport report) {
    String problem = Ids.problem("plugin", report.plugin());
    return problem == null ? Ids.problem("node", report.node()) : problem;
  }

  /**
   * The worker that used to serve an instance says goodbye after another has taken over: the
   * instance is there still.
   */
  private static boolean fromFormerWorker(ClusterDraft draft, InstanceReport report) {
    Sighting last = draft.tables().get(OwnTables.SIGHTINGS, report.key());
    return last != null && !report.worker().isEmpty() && !last.worker().equals(report.worker());
  }

  /** Only a worker reports again; what nobody reports again cannot fall silent. */
  private static void hear(ClusterDraft draft, InstanceReport report) {
    if (report.worker().isEmpty()) {
      draft.tables().remove(OwnTables.SIGHTINGS, report.key());
    } else {
      draft
          .tables()
          .put(OwnTables.SIGHTINGS, report.key(), new Sighting(report.worker(), draft.now()));
    }
  }

  /** Before the instance itself, so that nobody sees an instance of no plugin. */
  private static void hold(ClusterDraft draft, InstanceReport report) {
    PluginView before = ClusterTables.plugin(draft.tables(), report.plugin());
    boolean controllerRequired =
        report.role() == PluginRole.CONTROLLER || (before != null && before.controllerRequired());
    PluginView after = new PluginView(report.plugin(), controllerRequired, null);
    if (!after.equals(before)) {
      draft.announce(new ClusterSignal.PluginChanged(after));
    }
  }

  private static InstanceView silent(InstanceView view, String worker) {
    return new InstanceView(
        view.plugin(),
        view.node(),
        view.role(),
        false,
        "no report from worker '%s' for %s".formatted(worker, DurationText.format(SILENCE)),
        view.route(),
        view.endpoint(),
        view.attach(),
        view.publishReadOnly(),
        view.listPublished(),
        view.stage(),
        view.externalNode(),
        view.maxVolumes());
  }
}
