package dev.berth.workers.accept;

import dev.berth.records.LaneStatus;
import dev.berth.records.PluginRole;
import dev.berth.records.Work;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.accept.Opening.Place;
import dev.berth.workers.config.PluginRoles;
import dev.berth.workers.kafka.LatestRecords;
import dev.berth.workers.kafka.TopicEnd;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * watermark that is asked for now, and reading up to there waits for its transaction. Last the work
 * topic to its high watermark, in all its partitions, from the time when the oldest of what the
 * statuses show was dispatched: it tells of each where its record lies. Nothing is read of it when
 * nothing is open, as is usual.
 */
final class StartingPoint {

  private static final Logger log = LoggerFactory.getLogger(StartingPoint.class);

  /** How far back the clock of Streams may be set between a dispatch and its record. */
  private static final Duration CLOCK_SET_BACK = Duration.ofMinutes(1);

  private final Supplier<Consumer<String, byte[]>> readers;
  private final TopicEnd end;
  private final Deserializer<Work> workReader;
  private final Deserializer<LaneStatus> statusReader;
  private final Topics topics;
  private final Optional<Set<String>> plugins;

  /**
   * @param readers makes read_committed consumers without a group
   * @param end finds the ends of partitions
   * @param plugins the only ones whose statuses are read; empty for those of all
   */
  StartingPoint(
      Supplier<Consumer<String, byte[]>> readers,
      TopicEnd end,
      Deserializer<Work> workReader,
      Deserializer<LaneStatus> statusReader,
      Topics topics,
      Optional<Set<String>> plugins) {
    this.readers = readers;
    this.end = end;
    this.workReader = workReader;
    this.statusReader = statusReader;
    this.topics = topics;
    this.plugins = plugins;
  }

  /**
   * Where to begin.
   *
   * @param ends the offset to begin at, for each partition
   * @param open what is open, accepted by nobody, and not polled from there on
   */
  record Found(Map<TopicPartition, Long> ends, List<Work> open) {}

  /**
   * Looks.
   *
   * @param partitions the partitions that have no offsets
   * @param ours whether work is of our route, and not accepted by this worker before
   * @param polled whether a partition with offsets is polled by the group
   * @throws TimeoutException when a transaction stays undecided for longer than our patience
   */
  Found find(
      Set<TopicPartition> partitions, Predicate<Work> ours, Predicate<TopicPartition> polled) {
    try (Consumer<String, byte[]> reader = readers.get()) {
      Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
      Set<String> begun =
          partitions.stream().map(TopicPartition::topic).collect(Collectors.toUnmodifiableSet());
      List<Work> candidates =
          Opening.unaccepted(
              statuses(reader), work -> begun.contains(topicOf(work)) && ours.test(work));
      Map<String, Place> places = places(reader, candidates);
      List<Work> open =
          candidates.stream()
              .filter(
                  work ->
                      Opening.accepts(
                          places.get(work.getAttemptId()), byKey(reader, work), ends, polled))
              .toList();
      log.info("beginning without offsets partitions={} open={}", ends, open.size());
      return new Found(ends, open);
    }
  }

  private String topicOf(Work work) {
    return topics.name(isOfController(work) ? Topic.PLUGIN_WORK : Topic.NODE_WORK);
  }

  /** All calls of an attempt go to one service. */
  private static boolean isOfController(Work work) {
    return work.getCalls().stream()
        .map(call -> PluginRoles.serving(call.getCall().getRpc()))
        .anyMatch(role -> role == PluginRole.CONTROLLER);
  }

  private TopicPartition byKey(Consumer<String, byte[]> reader, Work work) {
    String topic = topicOf(work);
    String key = isOfController(work) ? work.getPlugin() : work.getInstanceNode();
    return new TopicPartition(topic, Keys.partition(key, reader.partitionsFor(topic).size()));
  }

  private Collection<LaneStatus> statuses(Consumer<String, byte[]> reader) {
    String topic = topics.name(Topic.LANE_STATUS);
    int count = reader.partitionsFor(topic).size();
    IntStream read =
        plugins
            .map(some -> some.stream().mapToInt(plugin -> Keys.partition(plugin, count)).distinct())
            .orElseGet(() -> IntStream.range(0, count));
    List<TopicPartition> partitions =
        read.mapToObj(partition -> new TopicPartition(topic, partition)).toList();
    return LatestRecords.read(partitions, reader, end, statusReader).values();
  }

  /** Where the records of attempts lie; those that the topics have lost are not among them. */
  private Map<String, Place> places(Consumer<String, byte[]> reader, List<Work> attempts) {
    if (attempts.isEmpty()) {
      return Map.of();
    }
    Set<String> wanted =
        attempts.stream().map(Work::getAttemptId).collect(Collectors.toUnmodifiableSet());
    seekToDispatch(reader, attempts);
    Map<String, Place> places = new HashMap<>();
    end.read(
        reader,
        record -> {
          try {
            String attempt = workReader.deserialize(record.topic(), record.value()).getAttemptId();
            if (wanted.contains(attempt)) {
              places.put(
                  attempt,
                  new Place(
                      new TopicPartition(record.topic(), record.partition()), record.offset()));
            }
          } catch (UnreadableRecordException e) {
            log.debug("unreadable work left to the accept loop offset={}", record.offset(), e);
          }
        });
    return places;
  }

  /** To the first records that may be theirs, in every partition of their topics. */
  private void seekToDispatch(Consumer<String, byte[]> reader, List<Work> attempts) {
    long since =
        attempts.stream()
            .map(Work::getDispatchedAt)
            .min(Comparator.naturalOrder())
            .orElseThrow()
            .minus(CLOCK_SET_BACK)
            .toEpochMilli();
    Map<TopicPartition, Long> times =
        attempts.stream()
            .map(this::topicOf)
            .distinct()
            .flatMap(topic -> reader.partitionsFor(topic).stream())
            .collect(
                Collectors.toMap(
                    info -> new TopicPartition(info.topic(), info.partition()), info -> since));
    reader.assign(times.keySet());
    reader
        .offsetsForTimes(times)
        .forEach(
            (partition, first) -> {
              if (first == null) {
                reader.seekToEnd(Set.of(partition));
              } else {
                reader.seek(partition, first.offset());
              }
            });
  }
}
