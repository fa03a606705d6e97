package dev.berth.streams.topology;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Puts one copy of a record into every partition: what concerns all must reach all. */
final class EveryPartition implements StreamPartitioner<String, Object> {
  // Marked for removal, but still the only method that an implementation must have.
  @SuppressWarnings("removal")
  @Override
  public Optional<Set<Integer>> partitions(
      String topic, String key, Object value, int numPartitions) {
    return Optional.of(
        IntStream.range(0, numPartitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }
}
