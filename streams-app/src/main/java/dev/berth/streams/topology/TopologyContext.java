package dev.berth.streams.topology;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topics;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.Stores;

/**
 * What the topology is built for.
 *
 * @param topics names of the topics
 * @param registry where their schemas are
 * @param volumePartitions partitions of the topics keyed by volume (count)
 * @param lanePartitions partitions of the topics that Lanes reads (count)
 * @param stores makes the store of a name: on disk in production, in memory where nothing has to
 *     last
 * @param clockWatches makes a watch over the clock for each task
 */
public record TopologyContext(
    Topics topics,
    Registry registry,
    int volumePartitions,
    int lanePartitions,
    Function<String, KeyValueBytesStoreSupplier> stores,
    Supplier<ClockWatch> clockWatches) {

  /** With a clock that nobody sets: the time of a test. */
  public TopologyContext(
      Topics topics,
      Registry registry,
      int volumePartitions,
      int lanePartitions,
      Function<String, KeyValueBytesStoreSupplier> stores) {
    this(topics, registry, volumePartitions, lanePartitions, stores, ClockWatch::none);
  }

  /** With stores on disk, and the machine's clock. */
  public TopologyContext(
      Topics topics, Registry registry, int volumePartitions, int lanePartitions) {
    this(
        topics,
        registry,
        volumePartitions,
        lanePartitions,
        Stores::persistentKeyValueStore,
        () -> ClockWatch.against(System::nanoTime));
  }
}
