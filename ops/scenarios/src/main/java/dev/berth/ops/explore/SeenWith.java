package dev.berth.ops.explore;

import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A decider's own tables and its copy of the cluster, as the one state that it reads.
 *
 * @param own its tables
 * @param cluster its copy of {@link ClusterTables}; a table is looked for in one of the two only
 */
public record SeenWith(State own, State cluster) implements State {
  private static final Set<String> OF_CLUSTER =
      Set.of(
          ClusterTables.NODES.name(),
          ClusterTables.INSTANCES.name(),
          ClusterTables.PLUGINS.name(),
          ClusterTables.POLICIES.name());

  /** Whether a table is one of those that every decider has a copy of. */
  static boolean ofCluster(Table<?> table) {
    return OF_CLUSTER.contains(table.name());
  }

  private State side(Table<?> table) {
    return ofCluster(table) ? cluster : own;
  }

  @Override
  public <V> @Nullable V get(Table<V> table, String key) {
    return side(table).get(table, key);
  }

  @Override
  public <V> List<Entry<V>> scan(Table<V> table, String prefix) {
    return side(table).scan(table, prefix);
  }

  @Override
  public <V> @Nullable Entry<V> ceiling(Table<V> table, String prefix, String from) {
    return side(table).ceiling(table, prefix, from);
  }
}
