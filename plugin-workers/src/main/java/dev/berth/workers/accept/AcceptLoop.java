package dev.berth.workers.accept;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.Work;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topics;
import dev.berth.workers.kafka.KafkaClients;
import dev.berth.workers.kafka.TopicEnd;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that accepts the work of one route. It never waits for a plugin.
 *
 * <p>Whatever goes wrong, it goes on: with a new producer after a transaction of unknown outcome,
 * with a new consumer after any other error. {@link #close} may be called from any thread.
 */
public final class AcceptLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AcceptLoop.class);
  private static final Duration BACKOFF = Duration.ofSeconds(1);

  /** Longer than a transaction may stay open (10 s) and the broker's sweep after that. */
  private static final Duration OPENING_PATIENCE = Duration.ofSeconds(30);

  private static final int REMEMBERED = 10_000;

  private final Set<String> workTopics;
  private final Supplier<Consumer<String, byte[]>> consumers;
  private final Parts parts;
  private final Runnable schemas;
  private final KnownAttempts known = new KnownAttempts(REMEMBERED);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable Consumer<String, byte[]> current;
  private final LoopTimes times;
  private final Successor successor;
  private volatile List<String> waiting = List.of();
  private volatile boolean settled;
  private volatile Assigned assigned = Assigned.NOTHING;
  private volatile Runnable whenMoved = () -> {};

  AcceptLoop(
      Set<String> workTopics,
      Supplier<Consumer<String, byte[]>> consumers,
      Parts parts,
      Runnable schemas) {
    this.schemas = schemas;
    this.workTopics = Set.copyOf(workTopics);
    this.consumers = consumers;
    this.parts = parts;
    this.times = new LoopTimes(parts.clocks());
    this.successor = new Successor(parts.clocks());
    this.thread = new Thread(this::run, "accept-" + parts.route());
  }

  /**
   * Prepares the loop of a route; nothing is connected yet.
   *
   * @param route the route
   * @param node the one node whose work it takes; empty for a route that workers share
   * @param workTopics topics to read
   * @param kafka makes the clients
   * @param serdes reads and writes the records
   * @param calls where accepted attempts go
   * @param clocks clocks of the process
   * @param ids makes ids that are never used again
   * @param schemas learns the schemas of all that the worker reads and writes, before it joins
   */
  public static AcceptLoop of(
      String route,
      Optional<ServedNode> node,
      Set<String> workTopics,
      KafkaClients kafka,
      Serdes serdes,
      OpenCalls calls,
      Clocks clocks,
      Supplier<String> ids,
      Runnable schemas) {
    Topics topics = kafka.topics();
    // The processes of one node fence each other by it, those of a group have one each.
    String transactionalId =
        node.isPresent()
            ? topics.prefix() + "." + route
            : kafka.worker() + "-" + route + "-" + ids.get();
    AcceptTransaction transaction =
        new AcceptTransaction(
            () -> kafka.transactional(transactionalId), topics, serdes.acceptance().serializer());
    StartingPoint startingPoint =
        new StartingPoint(
            kafka::reader,
            new TopicEnd(kafka::highWatermarks, OPENING_PATIENCE, clocks),
            serdes.work().deserializer(),
            serdes.status().deserializer(),
            topics,
            node.flatMap(ServedNode::plugins));
    return new AcceptLoop(
        workTopics,
        () -> kafka.groupMember(route),
        new Parts(
            route,
            kafka.worker(),
            node.<Membership>map(served -> new OfNode(served.id())).orElseGet(InGroup::new),
            transaction,
            startingPoint,
            looks(route),
            serdes.work().deserializer(),
            calls,
            clocks,
            ids),
        schemas);
  }

  /**
   * The records the loop reads and writes.
   *
   * @param work of the work topics
   * @param status of {@code lane-status}
   * @param acceptance of {@code work-acceptances}
   */
  public record Serdes(Serde<Work> work, Serde<LaneStatus> status, Serde<Acceptance> acceptance) {}

  /** A thread for each look: one that nobody waits for any more must not hold up the next. */
  private static Executor looks(String route) {
    return look -> {
      Thread thread = new Thread(look, "opening-" + route);
      thread.setDaemon(true);
      thread.start();
    };
  }

  /**
   * What each membership works with.
   *
   * @param looks where the beginning of partitions without offsets is looked for
   */
  record Parts(
      String route,
      String worker,
      Membership membership,
      AcceptTransaction transaction,
      StartingPoint startingPoint,
      Executor looks,
      Deserializer<Work> workReader,
      OpenCalls calls,
      Clocks clocks,
      Supplier<String> ids) {}

  /**
   * Names what is to happen, in the thread of the loop, when other work is polled here than before.
   * It must return at once.
   */
  public void whenMoved(Runnable action) {
    whenMoved = action;
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** Returns what it waits for, a line each; nothing when all is well. */
  public List<String> waiting() {
    return waiting;
  }

  /**
   * Returns whether it has its place in the group, or that of its node, and has begun in all its
   * partitions: what is dispatched there is accepted. A member may have no partition at all.
   */
  public boolean isSettled() {
    return settled;
  }

  /**
   * Returns whether the work of a key is accepted here as soon as it is dispatched, as far as is
   * known: a moment after it has moved to another worker, both may say so. A process that was
   * stopped, or that waits for the cluster, for longer than a session does not: it may have lost
   * its place without knowing.
   */
  public boolean polls(String topic, String key) {
    return times.isSure() && assigned.holds(topic, key);
  }

  /** Returns how long ago the loop last polled. */
  public Duration sinceLastTurn() {
    return times.sincePoll();
  }

  /**
   * Returns how long ago the loop went on to whatever comes next, also to try again what the
   * cluster did not let it do.
   */
  public Duration sinceLastRound() {
    return times.sinceRound();
  }

  /** Accepts nothing more and leaves the group. Calls that are open go on. */
  @Override
  public void close() {
    closing.countDown();
    Consumer<String, byte[]> consumer = current;
    if (consumer != null) {
      consumer.wakeup();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    awaitSchemas();
    while (!isClosing()) {
      times.cameRound();
      try (Consumer<String, byte[]> consumer = consumers.get()) {
        current = consumer;
        serve(consumer);
      } catch (WakeupException e) {
        log.debug("woken route={}", parts.route());
      } catch (RuntimeException e) {
        waiting = List.of("route " + parts.route() + " begins anew: " + e);
        log.warn(
            "accept loop failed and begins anew route={} error={}", parts.route(), e.toString());
        log.debug("accept loop failed route={}", parts.route(), e);
        backOff();
      } finally {
        current = null;
        settled = false;
        assign(Assigned.NOTHING);
      }
    }
    parts.transaction().close();
  }

  /** Not left to the first call: its outcome could not be written while the registry is away. */
  private void awaitSchemas() {
    while (!isClosing()) {
      times.cameRound();
      try {
        schemas.run();
        waiting = List.of();
        return;
      } catch (RuntimeException e) {
        waiting = List.of("waiting for the schema registry: " + e.getMessage());
        log.warn("waiting for the schema registry route={}: {}", parts.route(), e.getMessage());
        backOff();
      }
    }
  }

  private void serve(Consumer<String, byte[]> consumer) {
    GroupMember member = new GroupMember(parts, consumer, known);
    times.joins();
    member.join(workTopics);
    try {
      serve(consumer, member);
    } finally {
      if (isClosing()) {
        leave(member);
      }
    }
  }

  private void leave(GroupMember member) {
    try {
      member.leave();
    } catch (RuntimeException e) {
      // It was a courtesy.
      log.debug("could not say that it leaves route={} error={}", parts.route(), e.toString());
    }
  }

  private void serve(Consumer<String, byte[]> consumer, GroupMember member) {
    while (!isClosing()) {
      times.cameRound();
      if (member.isOutdated()) {
        throw new IllegalStateException("the topic has other partitions than before");
      }
      try {
        if (leaveToAnother(member)) {
          continue;
        }
        member.turn();
        times.polled();
        waiting = member.waiting();
        settled = member.isSettled();
        noteAssignment(consumer, member.begun());
      } catch (RegistryUnavailableException e) {
        settled = false;
        waiting = List.of("route " + parts.route() + " waits: " + e.getMessage());
        log.warn("work cannot be read for now route={} error={}", parts.route(), e.getMessage());
        backOff();
      }
    }
  }

  /** Waits where another process has taken the work over and is there. Returns whether it did. */
  private boolean leaveToAnother(GroupMember member) {
    Optional<Duration> patience = member.yields();
    if (patience.isEmpty()) {
      return false;
    }
    String text =
        "another process serves route "
            + parts.route()
            + ": stop one of the two; this one takes over when the other ends, or gives no sign for"
            + " "
            + patience.get().toSeconds()
            + " s";
    if (!waiting.equals(List.of(text))) {
      log.warn("{}", text);
      successor.forget();
      waiting = List.of(text);
    }
    settled = false;
    assign(Assigned.NOTHING);
    times.polled();
    if (successor.isGone(member.signs(), patience.get())) {
      log.info("takes the work back route={}", parts.route());
      waiting = List.of();
      return false;
    }
    backOff();
    return true;
  }

  private void noteAssignment(Consumer<String, byte[]> consumer, Set<TopicPartition> assignment) {
    Map<String, Integer> counts = new HashMap<>();
    // The consumer knows them: it polls these topics. Asked in every turn: a topic can get more
    // partitions, or this consumer learn of them, while its own stay the same.
    assignment.stream()
        .map(TopicPartition::topic)
        .distinct()
        .forEach(topic -> counts.put(topic, consumer.partitionsFor(topic).size()));
    assign(new Assigned(assignment, counts));
  }

  private void assign(Assigned now) {
    boolean moved = !now.equals(assigned);
    assigned = now;
    if (moved) {
      whenMoved.run();
    }
  }

  /**
   * What is polled now.
   *
   * @param partitions the partitions
   * @param counts how many partitions each of their topics has
   */
  private record Assigned(Set<TopicPartition> partitions, Map<String, Integer> counts) {
    static final Assigned NOTHING = new Assigned(Set.of(), Map.of());

    boolean holds(String topic, String key) {
      Integer count = counts.get(topic);
      return count != null
          && partitions.contains(new TopicPartition(topic, Keys.partition(key, count)));
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private void backOff() {
    try {
      if (closing.await(BACKOFF.toMillis(), TimeUnit.MILLISECONDS)) {
        log.debug("closing route={}", parts.route());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closing.countDown();
    }
  }
}
