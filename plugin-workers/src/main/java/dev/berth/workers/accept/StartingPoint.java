package dev.berth.workers.accept;

import dev.berth.records.LaneStatus;
import dev.berth.records.PluginRole;
import dev.berth.records.Work;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.config.PluginRoles;
import dev.berth.workers.kafka.LatestRecords;
import dev.berth.workers.kafka.TopicEnd;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.Deserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds where a group begins that has no offsets for a partition, see {@link Opening}.
 *
 * <p>The order of the three reads is what makes it right. First the end E of the partition, up to
 * which every transaction is decided. Then {@code lane-status} to its end: the status of any work
 * before E was written before that work's transaction was decided, so it lies before the high
 * watermark that is asked for now, and reading up to there waits for its transaction. Last the
 * partition itself from E to its high watermark: work that the statuses show and that lies behind E
 * is found there.
 */
final class StartingPoint {

  private static final Logger log = LoggerFactory.getLogger(StartingPoint.class);

  private final Supplier<Consumer<String, byte[]>> readers;
  private final TopicEnd end;
  private final Deserializer<Work> workReader;
  private final Deserializer<LaneStatus> statusReader;
  private final Topics topics;

  /**
   * @param readers makes read_committed consumers without a group
   * @param end finds the ends of partitions
   */
  StartingPoint(
      Supplier<Consumer<String, byte[]>> readers,
      TopicEnd end,
      Deserializer<Work> workReader,
      Deserializer<LaneStatus> statusReader,
      Topics topics) {
    this.readers = readers;
    this.end = end;
    this.workReader = workReader;
    this.statusReader = statusReader;
    this.topics = topics;
  }

  /**
   * Where to begin.
   *
   * @param ends the offset to begin at, for each partition
   * @param open what lies before it and is open and not accepted, of every route
   */
  record Found(Map<TopicPartition, Long> ends, List<Work> open) {}

  /**
   * Looks.
   *
   * @throws TimeoutException when a transaction stays undecided for longer than our patience
   */
  Found find(Set<TopicPartition> partitions) {
    try (Consumer<String, byte[]> reader = readers.get()) {
      Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
      Collection<LaneStatus> statuses = statuses(reader);
      Set<String> behind = attempts(reader, ends);
      Map<String, Integer> counts = new HashMap<>();
      partitions.forEach(
          p -> counts.computeIfAbsent(p.topic(), t -> reader.partitionsFor(t).size()));
      List<Work> open =
          Opening.toAccept(statuses, work -> partitions.contains(placeOf(work, counts)), behind);
      log.info("beginning without offsets partitions={} open={}", ends, open.size());
      return new Found(ends, open);
    }
  }

  private TopicPartition placeOf(Work work, Map<String, Integer> counts) {
    // All calls of an attempt go to one service.
    boolean controller =
        work.getCalls().stream()
            .map(call -> PluginRoles.serving(call.getCall().getRpc()))
            .anyMatch(role -> role == PluginRole.CONTROLLER);
    String topic = topics.name(controller ? Topic.PLUGIN_WORK : Topic.NODE_WORK);
    String key = controller ? work.getPlugin() : work.getInstanceNode();
    Integer count = counts.get(topic);
    return new TopicPartition(topic, count == null ? -1 : Keys.partition(key, count));
  }

  private Collection<LaneStatus> statuses(Consumer<String, byte[]> reader) {
    return LatestRecords.read(topics.name(Topic.LANE_STATUS), reader, end, statusReader).values();
  }

  private Set<String> attempts(Consumer<String, byte[]> reader, Map<TopicPartition, Long> from) {
    reader.assign(from.keySet());
    from.forEach(reader::seek);
    Set<String> attempts = new HashSet<>();
    end.read(
        reader,
        record -> {
          try {
            attempts.add(workReader.deserialize(record.topic(), record.value()).getAttemptId());
          } catch (UnreadableRecordException e) {
            log.debug("unreadable work left to the accept loop offset={}", record.offset(), e);
          }
        });
    return attempts;
  }
}
