package dev.berth.workers.accept;

import dev.berth.records.Work;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.workers.accept.Polled.Unreadable;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One membership in the consumer group of a route: polls, decides, commits, and hands over what is
 * committed. Confined to the thread of the accept loop.
 */
final class GroupMember {

  private static final Logger log = LoggerFactory.getLogger(GroupMember.class);
  private static final Duration POLL = Duration.ofMillis(200);

  /** Before long there may be room, or a beginning, for partitions that are paused. */
  private static final Duration SHORT_POLL = Duration.ofMillis(10);

  /** How long a partition is left alone that waits for the registry. */
  private static final Duration ASKED_AGAIN_AFTER = Duration.ofSeconds(1);

  /** How long the cluster may take to say what is committed, where nothing depends on it. */
  private static final Duration SIGNS = Duration.ofSeconds(5);

  private final String route;
  private final String worker;
  private final Membership membership;
  private final Consumer<String, byte[]> consumer;
  private final AcceptTransaction transaction;
  private final Openings openings;
  private final WorkRecords workRecords;
  private final OpenCalls calls;
  private final KnownAttempts known;
  private final Clocks clocks;
  private final Supplier<String> ids;

  /** Offsets to commit, of partitions that are ours since they were polled. */
  private final Map<TopicPartition, Long> uncommitted = new HashMap<>();

  /** Partitions that wait for the registry; the others go on. */
  private final Map<TopicPartition, HeldPartition> held = new HashMap<>();

  private Moment lastCommit;

  /** Nobody knows yet that the work is ours. */
  private boolean unsigned;

  GroupMember(AcceptLoop.Parts parts, Consumer<String, byte[]> consumer, KnownAttempts known) {
    this.route = parts.route();
    this.worker = parts.worker();
    this.membership = parts.membership();
    this.consumer = consumer;
    this.transaction = parts.transaction();
    this.openings = new Openings(parts.startingPoint(), parts.looks(), parts.clocks());
    this.workRecords = new WorkRecords(parts.workReader());
    this.calls = parts.calls();
    this.known = known;
    this.clocks = parts.clocks();
    this.ids = parts.ids();
    this.lastCommit = clocks.read();
  }

  /** Begins to poll the work topics. */
  void join(Set<String> topics) {
    membership.join(consumer, topics, new ForgetOffsets());
  }

  /**
   * Polls once and deals with what came.
   *
   * @throws RegistryUnavailableException when nothing can be begun or accepted for now; nothing of
   *     the poll was accepted and it will be polled again
   */
  void turn() {
    if (!transaction.isReady()) {
      transaction.prepare();
      unsigned = membership.signs();
      rewind();
    }
    throttle();
    try {
      ConsumerRecords<String, byte[]> records = poll();
      open();
      take(records);
    } catch (RegistryUnavailableException e) {
      rewind();
      throw e;
    }
  }

  /** Polls in every turn: only a poll tells a member that it is none any more. */
  private ConsumerRecords<String, byte[]> poll() {
    try {
      boolean onlyWaits = calls.room() == 0 || openings.looking();
      return consumer.poll(onlyWaits ? SHORT_POLL : POLL);
    } catch (InvalidOffsetException e) {
      openings.add(e.partitions());
      // Anywhere, so that the next poll says nothing of them; until they are begun they are paused.
      e.partitions().forEach(partition -> consumer.seek(partition, 0));
      consumer.pause(e.partitions());
      return ConsumerRecords.empty();
    }
  }

  private void throttle() {
    consumer.resume(consumer.paused());
    consumer.pause(calls.room() > 0 ? notYet() : consumer.assignment());
  }

  private Set<TopicPartition> notYet() {
    Set<TopicPartition> partitions = new HashSet<>(openings.pending());
    Moment now = clocks.read();
    held.values().stream()
        .filter(each -> now.since(each.triedAt()).compareTo(ASKED_AGAIN_AFTER) < 0)
        .forEach(each -> partitions.add(each.partition()));
    partitions.retainAll(consumer.assignment());
    return partitions;
  }

  /** Returns whether it is to begin anew, with other partitions. */
  boolean isOutdated() {
    return membership.isOutdated(consumer);
  }

  /**
   * Returns how long to leave the work to another process that has taken it over; empty when none
   * has.
   */
  Optional<Duration> yields() {
    return transaction.wasFenced() ? membership.whenFenced() : Optional.empty();
  }

  /** Returns what is committed of its partitions, with the signs of whoever committed it. */
  Map<TopicPartition, OffsetAndMetadata> signs() {
    Map<TopicPartition, OffsetAndMetadata> signs = new HashMap<>();
    consumer
        .committed(consumer.assignment(), SIGNS)
        .forEach(
            (partition, committed) -> {
              if (committed != null) {
                signs.put(partition, committed);
              }
            });
    return signs;
  }

  /** Says that it is gone, where another process may wait for that. */
  void leave() {
    if (!membership.signs() || !transaction.isReady()) {
      return;
    }
    // Not the positions: what was polled last may not have been decided.
    Map<TopicPartition, OffsetAndMetadata> last = signs();
    last.replaceAll(
        (partition, committed) -> new OffsetAndMetadata(committed.offset(), Successor.LEFT));
    if (!last.isEmpty()) {
      boolean told = transaction.commit(List.of(), List.of(), last, consumer.groupMetadata());
      log.debug("left route={} told={}", route, told);
    }
  }

  /** The partitions that are ours and begun: what is dispatched there is accepted here. */
  Set<TopicPartition> begun() {
    Set<TopicPartition> begun = new HashSet<>(consumer.assignment());
    begun.removeAll(openings.pending());
    return begun;
  }

  /** Whether it has its place, and has begun in all partitions that are its own. */
  boolean isSettled() {
    return membership.fence(consumer).isPresent() && begun().equals(consumer.assignment());
  }

  /** What waits now, a line each. */
  List<String> waiting() {
    return Stream.concat(
            openings.waiting().stream(), held.values().stream().map(HeldPartition::text))
        .sorted()
        .toList();
  }

  /** Goes on from here when the registry answers; what came before it is decided as ever. */
  private void hold(ConsumerRecord<String, byte[]> record, String why) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    consumer.seek(partition, record.offset());
    HeldPartition before =
        held.put(partition, new HeldPartition(partition, record.offset(), clocks.read(), why));
    if (before == null || before.offset() != record.offset()) {
      log.warn(
          "partition waits for the registry route={} partition={} offset={} waiting={} error={}",
          route,
          partition,
          record.offset(),
          held.size(),
          why);
    }
  }

  private void release(Set<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      HeldPartition before = held.remove(partition);
      if (before != null) {
        log.info(
            "partition goes on route={} partition={} offset={} waiting={}",
            route,
            partition,
            before.offset(),
            held.size());
      }
    }
  }

  private void take(ConsumerRecords<String, byte[]> records) {
    WorkRecords.Read read = workRecords.read(records, openings.pending());
    Set<TopicPartition> readable = new HashSet<>(records.partitions());
    read.barred()
        .forEach(
            (record, why) -> {
              hold(record, why);
              readable.remove(new TopicPartition(record.topic(), record.partition()));
            });
    release(readable);
    int places = calls.take(read.polled().size());
    try {
      decide(read, places);
    } finally {
      calls.giveBack(places);
    }
  }

  private void decide(WorkRecords.Read read, int places) {
    AcceptDecision decision = AcceptDecision.decide(read.polled(), route, known::contains, places);
    decision.deferred().forEach(consumer::seek);
    uncommitted.putAll(decision.next());
    for (AcceptDecision.Skipped skip : decision.skipped()) {
      log.debug(
          "skipped partition={} offset={} reason={}",
          skip.record().partition(),
          skip.record().offset(),
          skip.reason());
    }
    List<Unreadable> unreadable = decision.unreadable();
    if (!decision.accepted().isEmpty() || !unreadable.isEmpty() || offsetsDue()) {
      accept(decision.accepted(), unreadable, read.times());
    }
  }

  private boolean offsetsDue() {
    boolean due =
        unsigned || clocks.read().since(lastCommit).compareTo(membership.skipsWrittenEvery()) > 0;
    if (due && membership.signs()) {
      // All that was polled is decided: the positions are those that the next poll begins with.
      begun().forEach(partition -> uncommitted.computeIfAbsent(partition, consumer::position));
    }
    return due && !uncommitted.isEmpty();
  }

  private void accept(List<Work> works, List<Unreadable> unreadable, Map<String, StepTimes> times) {
    if (!transaction.isReady()) {
      // The opening before it failed; the next turn goes back to before these records.
      return;
    }
    // Before anything of the transaction: whatever Streams counts from is later.
    Moment began = clocks.read();
    Optional<ConsumerGroupMetadata> group = membership.fence(consumer);
    if (group.isEmpty()) {
      log.info("expelled from the group, nothing is accepted route={} worker={}", route, worker);
      rewind();
      return;
    }
    List<Accepted> accepted =
        works.stream()
            .map(
                work ->
                    Accepted.of(
                        work,
                        worker,
                        ids.get(),
                        began,
                        times.getOrDefault(work.getAttemptId(), StepTimes.NONE)))
            .toList();
    if (!transaction.commit(accepted, unreadable, offsetsToCommit(), group.get())) {
      return;
    }
    openings.remove(uncommitted.keySet());
    uncommitted.clear();
    lastCommit = clocks.read();
    unsigned = false;
    unreadable.forEach(
        each -> log.error("unreadable work record rejected reason={}", each.reason()));
    for (Accepted each : accepted) {
      known.add(each.work().getAttemptId());
      log.debug(
          "accepted plugin={} lane={} attempt={} acceptance={} calls={}",
          each.work().getPlugin(),
          each.work().getLane(),
          each.work().getAttemptId(),
          each.acceptance().getAcceptanceId(),
          each.work().getCalls().size());
      calls.begin(each);
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> offsetsToCommit() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    String sign = membership.signs() ? worker + "/" + ids.get() : "";
    uncommitted.forEach(
        (partition, next) -> offsets.put(partition, new OffsetAndMetadata(next, sign)));
    return offsets;
  }

  private void open() {
    Set<TopicPartition> ours = Set.copyOf(consumer.assignment());
    openings
        .found(
            work -> work.getRoute().equals(route), partition -> membership.polls(ours, partition))
        .ifPresent(this::begin);
  }

  private void begin(StartingPoint.Found found) {
    found.ends().forEach(consumer::seek);
    uncommitted.putAll(found.ends());
    accept(
        found.open().stream().filter(work -> !known.contains(work.getAttemptId())).toList(),
        List.of(),
        Map.of());
  }

  /** Goes back to what the group has committed; what is polled again from there is decided anew. */
  private void rewind() {
    uncommitted.clear();
    consumer
        .committed(consumer.assignment())
        .forEach(
            (partition, offset) -> {
              if (offset == null) {
                openings.add(Set.of(partition));
              } else {
                // Also an opening of which nobody knew whether it was committed: it was.
                openings.remove(Set.of(partition));
                consumer.seek(partition, offset);
              }
            });
  }

  /**
   * Open calls go on when their partition moves. Only offsets not yet written are dropped: when the
   * partition comes back they may be behind what its owner in between has accepted.
   */
  private final class ForgetOffsets implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      uncommitted.keySet().removeAll(partitions);
      openings.remove(partitions);
      held.keySet().removeAll(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      log.info("partitions assigned route={} worker={} partitions={}", route, worker, partitions);
    }
  }
}
