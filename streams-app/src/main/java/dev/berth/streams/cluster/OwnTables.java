package dev.berth.streams.cluster;

import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.policy.NamedPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tables that only {@code Cluster} has, beside those of {@link ClusterTables}. */
public final class OwnTables {
  /** Last reports by {@link InstanceView#key()}, of instances that a worker reports. */
  public static final Table<Sighting> SIGHTINGS = new Table<>("sightings", Sighting.class);

  /** Valid policies by name, as they were published. */
  public static final Table<NamedPolicy> NAMED_POLICIES =
      new Table<>("named-policies", NamedPolicy.class);

  /** The clock: one row, under {@link #CLOCK_KEY}. */
  public static final Table<ClusterClock> CLOCK = new Table<>("cluster-clock", ClusterClock.class);

  /** The only key of {@link #CLOCK}. */
  public static final String CLOCK_KEY = "clock";

  private OwnTables() {}

  /** All of them. */
  public static List<Table<?>> all() {
    return List.of(SIGHTINGS, NAMED_POLICIES, CLOCK);
  }

  static @Nullable ClusterClock clock(State state) {
    return state.get(CLOCK, CLOCK_KEY);
  }
}
