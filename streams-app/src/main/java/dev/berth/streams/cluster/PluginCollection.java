package dev.berth.streams.cluster;

import dev.berth.records.NodeStatus;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;

/**
 * Removes what plugins have left behind: instances on deleted nodes that nobody reports any more,
 * then plugin records without any instance, also when volumes use them (nomad#16728).
 */
final class PluginCollection {
  private PluginCollection() {}

  /**
   * One pass.
   *
   * @param ignoreThresholds whether an operator asked, so that nothing has to be due for a while
   * @return plugin records removed (count)
   */
  static int run(ClusterDraft draft, ClusterClock clock, boolean ignoreThresholds) {
    Policies policies = ClusterTables.policies(draft.tables());
    removeInstances(draft, clock, policies, ignoreThresholds);
    int removed = 0;
    for (State.Entry<PluginView> row : draft.tables().scan(ClusterTables.PLUGINS, "")) {
      Instant emptySince = row.value().emptySince();
      if (emptySince != null
          && (ignoreThresholds
              || !draft.now().isBefore(emptySince.plus(threshold(policies, row.key()))))) {
        draft.announce(new ClusterSignal.PluginRemoved(row.key()));
        removed++;
      }
    }
    return removed;
  }

  /**
   * An instance on a node that is merely lost stays, and with it the provider's name of the node: a
   * detach may need it.
   */
  private static void removeInstances(
      ClusterDraft draft, ClusterClock clock, Policies policies, boolean ignoreThresholds) {
    for (State.Entry<Sighting> row : draft.tables().scan(OwnTables.SIGHTINGS, "")) {
      InstanceView view = draft.tables().get(ClusterTables.INSTANCES, row.key());
      if (view == null || !isGone(draft, view.node())) {
        continue;
      }
      Duration due =
          ignoreThresholds ? Instances.SILENCE : longer(threshold(policies, view.plugin()));
      if (Instances.silence(row.value(), clock).compareTo(due) >= 0) {
        Instances.remove(draft, view.plugin(), view.node(), view.role());
      }
    }
  }

  private static boolean isGone(ClusterDraft draft, String node) {
    NodeView view = ClusterTables.node(draft.tables(), node);
    return view != null && view.status() == NodeStatus.GONE;
  }

  private static Duration longer(Duration threshold) {
    return threshold.compareTo(Instances.SILENCE) > 0 ? threshold : Instances.SILENCE;
  }

  private static Duration threshold(Policies policies, String plugin) {
    return policies.ofPlugin(plugin).pluginGc().threshold();
  }
}
