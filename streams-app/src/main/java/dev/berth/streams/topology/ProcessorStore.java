package dev.berth.streams.topology;

import dev.berth.schemas.topics.Topic;
import dev.berth.streams.kernel.State;
import java.util.function.Function;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The store of each processor, for queries. */
public enum ProcessorStore {
  /** Volumes, claims and attachments, by volume. */
  VOLUME_CLAIMS(VolumeClaimsProcessor.NAME, Topic.COMMANDS),
  /** Lanes, attempts, slots and breakers, by plugin. */
  LANES(LanesProcessor.NAME, Topic.LANE_REQUESTS),
  /** Nodes, plugins and policies, in one partition. */
  CLUSTER(ClusterProcessor.NAME, Topic.NODES);

  private final String storeName;
  private final Topic source;

  ProcessorStore(String storeName, Topic source) {
    this.storeName = storeName;
    this.source = source;
  }

  /** Name of the store in the topology. */
  public String storeName() {
    return storeName;
  }

  /** A topic that its processor reads: who is assigned a partition of it has that of the store. */
  public Topic source() {
    return source;
  }

  /** How many partitions it has in a topology (count). */
  public int partitions(TopologyContext context) {
    return switch (this) {
      case VOLUME_CLAIMS -> context.volumePartitions();
      case LANES -> context.lanePartitions();
      case CLUSTER -> 1;
    };
  }

  /**
   * Makes what reads the tables of a partition; to be kept, since making it costs.
   *
   * @param applicationId application that the stores belong to
   */
  public Function<ReadOnlyKeyValueStore<String, byte[]>, State> reader(
      TopologyContext context, String applicationId) {
    OwnedTables tables =
        switch (this) {
          case VOLUME_CLAIMS -> VolumeClaimsSubtopology.tables(context);
          case LANES -> LanesSubtopology.tables(context);
          case CLUSTER -> ClusterSubtopology.tables(context);
        };
    return store -> tables.reading(store, applicationId);
  }
}
