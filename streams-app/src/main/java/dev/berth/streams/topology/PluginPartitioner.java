package dev.berth.streams.topology;

import dev.berth.schemas.topics.Keys;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Puts everything of a plugin into the plugin's partition: of a key {@code plugin/node}, or of an
 * attempt's id, only the plugin counts.
 */
final class PluginPartitioner implements StreamPartitioner<String, Object> {
  // Marked for removal, but still the only method that an implementation must have.
  @SuppressWarnings("removal")
  @Override
  public Optional<Set<Integer>> partitions(
      String topic, String key, Object value, int numPartitions) {
    int slash = key.indexOf('/');
    return Optional.of(
        Set.of(Keys.partition(slash < 0 ? key : key.substring(0, slash), numPartitions)));
  }
}
