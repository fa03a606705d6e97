package dev.berth.ops.topics;

import dev.berth.ops.record.Kept;
import dev.berth.producers.Connection;
import dev.berth.records.Acceptance;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.Command;
import dev.berth.records.CommandResult;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.StuckClaim;
import dev.berth.records.Work;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Everything that topics still hold of some volumes and of what they depend on. */
public final class VolumeRecords {
  /** What comes in stands before what follows from it in the same millisecond. */
  private static final List<Topic> TOPICS =
      List.of(
          Topic.VOLUMES,
          Topic.POLICIES,
          Topic.NODES,
          Topic.PLUGINS,
          Topic.COMMANDS,
          Topic.ALLOC_EVENTS,
          Topic.PLUGIN_LISTINGS,
          Topic.SECRETS_FOUND,
          Topic.LANE_REQUESTS,
          Topic.PLUGIN_WORK,
          Topic.NODE_WORK,
          Topic.WORK_ACCEPTANCES,
          Topic.WORK_OUTCOMES,
          Topic.CLAIM_HISTORY,
          Topic.CLAIM_REPLIES,
          Topic.COMMAND_RESULTS,
          Topic.STUCK_CLAIMS);

  private static final Duration POLL = Duration.ofMillis(100);

  private final Set<String> volumes;
  private final List<Kept> records = new ArrayList<>();
  private final List<String> sources = new ArrayList<>();
  private final Set<String> attempts = new HashSet<>();
  private final Set<String> others = new HashSet<>();
  private final Map<Object, Instant> decided = new HashMap<>();
  private int unreadable;

  private VolumeRecords(Set<String> volumes) {
    this.volumes = volumes;
  }

  /**
   * Reads them, without a consumer group: nothing on the cluster knows of it.
   *
   * @param volumes the volumes, as namespace/id
   * @param progress told the name of each topic before it is read
   */
  public static VolumeRecords read(
      Connection connection, Set<String> volumes, Consumer<String> progress) {
    VolumeRecords read = new VolumeRecords(Set.copyOf(volumes));
    try (Registry registry = Registry.connect(connection.registry());
        var consumer = TopicContent.consumer(connection)) {
      for (Topic topic : TOPICS) {
        progress.accept(topic.suffix());
        Deserializer<? extends SpecificRecord> values =
            AvroSerde.of(registry, topic.record().orElseThrow()).deserializer();
        List<TopicPartition> partitions = TopicContent.assign(connection, consumer, topic);
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        while (ends.entrySet().stream()
            .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
          consumer.poll(POLL).forEach(record -> read.take(topic, record, values));
        }
        read.sources.add(source(connection.topics().name(topic), begins, ends));
      }
    }
    return read;
  }

  private static String source(
      String topic, Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
    StringBuilder text = new StringBuilder(topic).append(", offsets");
    ends.entrySet().stream()
        .sorted(Comparator.comparingInt(end -> end.getKey().partition()))
        .forEach(
            end ->
                text.append(
                    " %d:%d-%d"
                        .formatted(
                            end.getKey().partition(),
                            begins.getOrDefault(end.getKey(), 0L),
                            end.getValue())));
    return text.append(" (partition:first-end)").toString();
  }

  /** The records, in the order in which they were written as far as their times tell. */
  public List<Kept> inOrder() {
    List<Kept> all = new ArrayList<>();
    for (Kept kept : records) {
      // The clock of who decided goes for a decision and for what it was made of.
      Instant at = kept.value() == null ? null : decided.get(kept.value());
      all.add(at == null ? kept : new Kept(kept.topic(), at, kept.key(), kept.value()));
    }
    all.sort(Comparator.comparing(Kept::at).thenComparing(kept -> TOPICS.indexOf(kept.topic())));
    return all;
  }

  /** From which topics and offsets they come. */
  public List<String> sources() {
    return List.copyOf(sources);
  }

  /** How many records could not be read (count). */
  public int unreadable() {
    return unreadable;
  }

  private void take(
      Topic topic,
      ConsumerRecord<String, byte[]> record,
      Deserializer<? extends SpecificRecord> values) {
    String key = record.key() == null ? "" : record.key();
    SpecificRecord value;
    try {
      value = record.value() == null ? null : values.deserialize(record.topic(), record.value());
    } catch (UnreadableRecordException e) {
      unreadable++;
      return;
    }
    if (concerns(topic, key, value)) {
      Instant written = Instant.ofEpochMilli(record.timestamp());
      records.add(new Kept(topic, happened(value, written), key, value));
      if (value instanceof ClaimDecision decision
          && (decision.getEvent() instanceof AllocEvent
              || decision.getEvent() instanceof Command)) {
        decided.putIfAbsent(decision.getEvent(), decision.getNow());
      }
    }
  }

  /**
   * Of {@code namespace/volume/rest}; the rest is an alloc, or a node as the provider writes it.
   */
  private static String volumeOf(String key) {
    String[] parts = key.split("/", 3);
    return parts.length < 3 ? "" : parts[0] + "/" + parts[1];
  }

  private boolean concerns(Topic topic, String key, @Nullable SpecificRecord value) {
    return switch (topic) {
      case VOLUMES, ALLOC_EVENTS, CLAIM_HISTORY -> volumes.contains(key);
      case STUCK_CLAIMS -> volumes.contains(volumeOf(key));
      case CLAIM_REPLIES ->
          value instanceof ClaimReply reply
              && volumes.contains(reply.getNamespace() + "/" + reply.getVolume());
      case LANE_REQUESTS ->
          value instanceof LaneRequest request && volumes.contains(request.getVolumeKey());
      case PLUGIN_WORK, NODE_WORK -> value instanceof Work work && concerns(work);
      case WORK_ACCEPTANCES ->
          value instanceof Acceptance acceptance && attempts.contains(acceptance.getAttemptId());
      case WORK_OUTCOMES ->
          value instanceof Outcome outcome && attempts.contains(outcome.getAttemptId());
      default -> true;
    };
  }

  /** Work for the volumes; and of each plugin one attempt for others, which tells of sharing. */
  private boolean concerns(Work work) {
    boolean ours =
        work.getCalls().stream()
            .anyMatch(
                call ->
                    volumes.contains(
                        call.getCall().getNamespace() + "/" + call.getCall().getVolume()));
    if (ours) {
      attempts.add(work.getAttemptId());
    }
    return ours || others.add(work.getPlugin());
  }

  /** When something happened; Kafka Streams gives its records the time of what they come from. */
  private static Instant happened(@Nullable SpecificRecord value, Instant written) {
    if (value instanceof ClaimDecision decision) {
      return decision.getNow();
    } else if (value instanceof Acceptance acceptance) {
      return acceptance.getAt();
    } else if (value instanceof Outcome outcome) {
      return outcome.getEndedAt();
    } else if (value instanceof ClaimReply reply) {
      return reply.getAt();
    } else if (value instanceof StuckClaim letter) {
      return letter.getAt();
    } else if (value instanceof CommandResult result) {
      return result.getAt();
    } else if (value instanceof LaneRequest request) {
      return request.getAt();
    } else if (value instanceof Work work) {
      return work.getDispatchedAt();
    }
    return written;
  }
}
