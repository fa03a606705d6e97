package dev.berth.streams.query;

import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/** The instances of the application, and what this one has of their stores. */
interface Instances {

  /**
   * Who has a partition.
   *
   * @param active its owner; null while it has none
   * @param standbys those with a warm copy
   */
  record Owners(@Nullable HostInfo active, List<HostInfo> standbys) {
    /** Nobody is known to have it. */
    static final Owners NONE = new Owners(null, List.of());

    /** Keeps a copy. */
    public Owners {
      standbys = List.copyOf(standbys);
    }
  }

  /** This one, as the others know it. */
  HostInfo self();

  /** Partitions of a store (count). */
  int partitions(ProcessorStore store);

  /** Who has which partition, as of the last rebalance; one entry for each partition. */
  Map<Integer, Owners> owners(ProcessorStore store);

  /**
   * The tables of a partition that this instance has.
   *
   * @param standby whether a warm copy will do
   * @throws UnavailableException when it has none, or not yet
   */
  State tables(ProcessorStore store, int partition, boolean standby);

  /** Records by which a warm copy of this instance is behind (count); 0 for one that it owns. */
  long lag(ProcessorStore store, int partition);
}
