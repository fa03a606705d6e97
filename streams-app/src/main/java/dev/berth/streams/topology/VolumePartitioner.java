package dev.berth.streams.topology;

import dev.berth.schemas.topics.Keys;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Puts everything of a volume into the volume's partition: of a key {@code namespace/volume/…} only
 * the first two parts count.
 */
final class VolumePartitioner implements StreamPartitioner<String, Object> {
  // Marked for removal, but still the only method that an implementation must have.
  @SuppressWarnings("removal")
  @Override
  public Optional<Set<Integer>> partitions(
      String topic, String key, Object value, int numPartitions) {
    int second = key.indexOf('/', key.indexOf('/') + 1);
    return Optional.of(
        Set.of(Keys.partition(second < 0 ? key : key.substring(0, second), numPartitions)));
  }
}
