package dev.berth.workers.node;

import dev.berth.records.NodeView;
import dev.berth.schemas.serde.UnreadableRecordException;
import dev.berth.schemas.topics.Keys;
import dev.berth.workers.csi.IncarnationCheck;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker's nodes as Berth has them, from {@code node-views}: of that topic only the partitions
 * that hold these nodes are read, to their end before each piece of work. What was decided of a
 * node before that is known then; a worker that was stopped for a while has no old view.
 *
 * <p>Whatever cannot be learnt refuses the work: the lane tries it again.
 *
 * <p>Safe for use by many threads; those that come while a reading is under way share the next one.
 */
public final class NodeViews implements IncarnationCheck, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(NodeViews.class);

  /** How long the cluster may take to answer. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  /** The rest of a transaction, one part of which is readable, takes milliseconds. */
  private static final Duration CATCH_UP = Duration.ofSeconds(5);

  private static final Duration POLL = Duration.ofMillis(100);

  private final Set<String> nodes;
  private final String topic;
  private final Supplier<Consumer<String, byte[]>> readers;
  private final Deserializer<NodeView> deserializer;
  private final Clocks clocks;
  private final ReentrantLock lock = new ReentrantLock();

  // Under the lock.
  private final Map<String, NodeView> views = new HashMap<>();
  private @Nullable Consumer<String, byte[]> reader;
  private @Nullable Moment readSince;

  /**
   * Prepares; nothing is connected before the first question.
   *
   * @param nodes the nodes that are asked for (scheduler's ids)
   * @param topic name of {@code node-views}
   * @param readers makes read_committed consumers without a group
   * @param deserializer of the views
   * @param clocks clocks of the process
   */
  public NodeViews(
      Set<String> nodes,
      String topic,
      Supplier<Consumer<String, byte[]>> readers,
      Deserializer<NodeView> deserializer,
      Clocks clocks) {
    this.nodes = Set.copyOf(nodes);
    this.topic = topic;
    this.readers = readers;
    this.deserializer = deserializer;
    this.clocks = clocks;
  }

  @Override
  public Optional<String> refusal(String node, long incarnation) {
    Moment asked = clocks.read();
    boolean again = false;
    while (true) {
      Verdict verdict;
      try {
        verdict = Verdict.of(node, incarnation, view(node, again));
      } catch (KafkaException e) {
        // A registry that is away is one too.
        log.warn("node views cannot be read node={} error={}", node, e.toString());
        return Optional.of(
            "the present incarnation of node %s cannot be learnt from %s: %s"
                .formatted(node, topic, e.getMessage()));
      }
      if (verdict instanceof Verdict.Meant) {
        return Optional.empty();
      } else if (verdict instanceof Verdict.Refused refused) {
        return Optional.of(refused.why());
      } else if (verdict instanceof Verdict.Behind behind
          && clocks.read().since(asked).compareTo(CATCH_UP) > 0) {
        return Optional.of(behind.why());
      }
      again = true;
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      drop();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The view of a node that a reading has found which began after this was asked.
   *
   * @param wait whether to wait a little for something new
   */
  private Optional<NodeView> view(String node, boolean wait) {
    Moment asked = clocks.read();
    lock.lock();
    try {
      Moment since = readSince;
      if (since == null || since.nanos() - asked.nanos() <= 0) {
        Moment begins = clocks.read();
        read(wait);
        readSince = begins;
      }
      return Optional.ofNullable(views.get(node));
    } finally {
      lock.unlock();
    }
  }

  private void read(boolean wait) {
    try {
      Consumer<String, byte[]> open = reader == null ? open() : reader;
      if (wait) {
        open.poll(POLL).forEach(this::keep);
      }
      Map<TopicPartition, Long> ends = open.endOffsets(open.assignment(), ANSWER);
      Moment began = clocks.read();
      while (!reached(open, ends)) {
        if (clocks.read().since(began).compareTo(ANSWER) > 0) {
          throw new KafkaException("its end was not reached within " + ANSWER);
        }
        open.poll(POLL).forEach(this::keep);
      }
    } catch (RuntimeException e) {
      // Something may have been polled and not kept.
      drop();
      throw e;
    }
  }

  private Consumer<String, byte[]> open() {
    Consumer<String, byte[]> opened = readers.get();
    reader = opened;
    List<PartitionInfo> partitions = opened.partitionsFor(topic, ANSWER);
    if (partitions == null || partitions.isEmpty()) {
      throw new KafkaException("there is no such topic; make it with the others");
    }
    Collection<TopicPartition> ours =
        nodes.stream()
            .map(node -> new TopicPartition(topic, Keys.partition(node, partitions.size())))
            .distinct()
            .toList();
    opened.assign(ours);
    opened.seekToBeginning(ours);
    return opened;
  }

  private static boolean reached(Consumer<String, byte[]> reader, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> reader.position(end.getKey(), ANSWER) >= end.getValue());
  }

  private void keep(ConsumerRecord<String, byte[]> record) {
    if (!nodes.contains(record.key())) {
      return;
    }
    // What cannot be read may say that the node has another incarnation.
    views.remove(record.key());
    if (record.value() == null) {
      return;
    }
    try {
      views.put(record.key(), deserializer.deserialize(record.topic(), record.value()));
    } catch (UnreadableRecordException e) {
      log.error(
          "view of a node cannot be read node={} offset={} error={}",
          record.key(),
          record.offset(),
          e.getMessage());
    }
  }

  private void drop() {
    views.clear();
    readSince = null;
    Consumer<String, byte[]> open = reader;
    reader = null;
    if (open != null) {
      open.close();
    }
  }
}
