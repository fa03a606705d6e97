package dev.berth.streams.cluster;

import dev.berth.streams.kernel.Draft;

/**
 * How a signal becomes a change of the copy that {@code VolumeClaims} and {@code Lanes} keep of the
 * cluster. {@code Cluster} makes its own changes the same way, so copy and original are folds of
 * the same signals.
 */
public final class ClusterCopy {
  private ClusterCopy() {}

  /**
   * Writes what a signal says into the tables of {@link ClusterTables}. A signal that is not about
   * the view ({@link ClusterSignal.GarbageCollection}, {@link ClusterSignal.PassedCommand}) writes
   * nothing.
   */
  public static void apply(ClusterSignal signal, Draft<?> draft) {
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      draft.put(ClusterTables.NODES, changed.node().node(), changed.node());
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      draft.put(ClusterTables.INSTANCES, changed.instance().key(), changed.instance());
    } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
      draft.remove(ClusterTables.INSTANCES, removed.key());
    } else if (signal instanceof ClusterSignal.PluginChanged changed) {
      draft.put(ClusterTables.PLUGINS, changed.plugin().plugin(), changed.plugin());
    } else if (signal instanceof ClusterSignal.PluginRemoved removed) {
      draft.remove(ClusterTables.PLUGINS, removed.plugin());
    } else if (signal instanceof ClusterSignal.PoliciesChanged changed) {
      draft.put(ClusterTables.POLICIES, ClusterTables.POLICIES_KEY, changed.policies());
    }
  }
}
