package dev.berth.ops.history;

import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Connection;
import dev.berth.records.ClaimDecision;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.codec.AttachmentCodec;
import dev.berth.streams.codec.ClaimCodec;
import dev.berth.streams.codec.Codec;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.codec.VolumeCodec;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/** Reads what the topics tell of one volume: its partition of each, from the beginning. */
public final class PastReader {
  /** The tables that an operator looks at; what is remembered of ended allocs is not among them. */
  private static final Set<String> SHOWN =
      Set.of(ClaimTables.VOLUMES.name(), ClaimTables.CLAIMS.name(), ClaimTables.ATTACHMENTS.name());

  private final TopicContent content;
  private final VolumeKey volume;
  private final Consumer<String> progress;

  private PastReader(TopicContent content, VolumeKey volume, Consumer<String> progress) {
    this.content = content;
    this.volume = volume;
    this.progress = progress;
  }

  /**
   * Reads.
   *
   * @param progress told what is read, in words
   * @throws org.apache.kafka.common.KafkaException when a topic is not there or nobody answers
   * @throws dev.berth.schemas.serde.UnreadableRecordException when a record of the volume cannot be
   *     read
   */
  public static VolumePast read(
      Connection connection, VolumeKey volume, Consumer<String> progress) {
    try (TopicContent content = new TopicContent(connection)) {
      return new PastReader(content, volume, progress).read();
    }
  }

  private VolumePast read() {
    String key = volume.toString();
    progress.accept("reading " + Topic.CLAIM_HISTORY.suffix());
    List<Written> history = new ArrayList<>();
    TopicContent.Left left =
        content.ofVolume(
            Topic.CLAIM_HISTORY,
            ClaimDecision.class,
            key,
            key::equals,
            (name, at, decision) -> decision.ifPresent(value -> add(value, history)));
    List<Written> rows = new ArrayList<>();
    if (left.trimmed()) {
      rows(Topic.VOLUMES, ClaimTables.VOLUMES, VolumeCodec.VOLUME, rows);
      rows(Topic.CLAIMS, ClaimTables.CLAIMS, ClaimCodec.CLAIM, rows);
      rows(Topic.ATTACHMENTS, ClaimTables.ATTACHMENTS, AttachmentCodec.ATTACHMENT, rows);
    }
    return new VolumePast(left.trimmed(), left.oldest(), history, rows);
  }

  private static void add(ClaimDecision decision, List<Written> history) {
    DecisionCodec.changes(decision).stream()
        .filter(change -> SHOWN.contains(change.table().name()))
        .forEach(change -> history.add(new Written(decision.getNow(), change)));
  }

  private <D, A extends SpecificRecord> void rows(
      Topic topic, Table<D> table, Codec<D, A> codec, List<Written> rows) {
    progress.accept("reading " + topic.suffix());
    String key = volume.toString();
    content.ofVolume(
        topic,
        codec.record(),
        key,
        name -> name.equals(key) || name.startsWith(key + "/"),
        (name, at, record) ->
            rows.add(
                new Written(
                    at,
                    record
                        .<Change>map(
                            value -> new Change.Put<>(table, name, codec.decode().apply(value)))
                        .orElseGet(() -> new Change.Remove(table, name)))));
  }
}
