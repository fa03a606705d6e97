package dev.berth.ops.scenario;

import dev.berth.driver.calls.Call;
import dev.berth.records.CallFate;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.Outcome;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.records.Work;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.codec.ClaimCodec;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The world of a scenario that runs live: everything is real but the provider behind the drivers.
 * What happened is what the topics and the drivers' log say.
 *
 * <p>It is at rest when the application has committed all that was written, the worker has reported
 * all that it was asked for, and a further look finds nothing new; what the file itself holds open,
 * an answer that is still to come or a delay, does not count.
 */
final class LiveWorld implements World {
  /** Longest time that something may take without a sign of life before it counts as at rest. */
  private static final Duration SILENCE = Duration.ofSeconds(4);

  /** Longest time until the world is at rest. */
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** How long an expectation that is not met is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final LiveSystem system;
  private final LiveCalls calls;
  private final InstantSource clock;
  private final Instant begin;
  private final Trace trace;
  private final List<Happened> story = new ArrayList<>();
  private final LogLines logged = LogLines.ofProcess();
  private final Map<Topic, List<Seen>> seen = new EnumMap<>(Topic.class);
  private final Map<Topic, AvroSerde<SpecificRecord>> serdes = new EnumMap<>(Topic.class);
  private final MapState folded = new MapState();
  private final Map<String, dev.berth.streams.claims.Claim> claims = new TreeMap<>();
  private final Map<String, PluginInstance> instances = new HashMap<>();
  private final Map<String, PluginInstance> expected = new HashMap<>();
  private final Map<String, Integer> unreported = new HashMap<>();
  private Instant lastNews;
  private @Nullable Instant patienceEnds;

  /**
   * @param system runs the scenario, and nothing else
   * @param calls directs its drivers
   * @param clock the clock of this process
   */
  LiveWorld(LiveSystem system, LiveCalls calls, InstantSource clock) {
    this.system = system;
    this.calls = calls;
    this.clock = clock;
    begin = clock.instant();
    lastNews = begin;
    trace = new Trace(begin, clock::instant);
  }

  @Override
  public Instant begin() {
    return begin;
  }

  @Override
  public Instant now() {
    return clock.instant();
  }

  @Override
  public Trace trace() {
    return trace;
  }

  // ---- topics

  @Override
  public void write(Topic topic, String key, @Nullable SpecificRecord value) {
    writeBytes(
        topic,
        key,
        value == null
            ? null
            : serde(topic).serializer().serialize(system.topics().name(topic), value));
  }

  @Override
  public void writeBytes(Topic topic, String key, byte @Nullable [] bytes) {
    trace.came(seen(now(), topic, key, bytes));
    system.send(topic, key, bytes);
  }

  @Override
  public List<Seen> seen(Topic topic) {
    return seen.computeIfAbsent(topic, unused -> new ArrayList<>());
  }

  /**
   * In the order of time: what comes of a record bears its time, and a call is later than what it
   * was made for, whichever was read first.
   */
  @Override
  public List<Happened> story() {
    List<Happened> all = new ArrayList<>(story);
    all.addAll(calls.story());
    all.sort(Comparator.comparing(LiveWorld::at));
    return all;
  }

  private static Instant at(Happened happened) {
    if (happened instanceof Happened.Written written) {
      return written.record().at();
    }
    if (happened instanceof Happened.Called called) {
      return called.rpc().started();
    }
    Rpc rpc = ((Happened.Ended) happened).rpc();
    return Objects.requireNonNullElse(rpc.ended(), rpc.started());
  }

  @Override
  public Stream<String> logged() {
    return logged.all();
  }

  @Override
  public Stream<String> metrics() {
    return system.metrics();
  }

  private Seen seen(Instant at, Topic topic, @Nullable String key, byte @Nullable [] bytes) {
    return new Seen(
        at,
        topic,
        key,
        bytes,
        () ->
            bytes == null || topic.record().isEmpty()
                ? null
                : serde(topic).deserializer().deserialize(system.topics().name(topic), bytes));
  }

  @SuppressWarnings("unchecked")
  private AvroSerde<SpecificRecord> serde(Topic topic) {
    return serdes.computeIfAbsent(
        topic,
        of -> AvroSerde.of(system.registry(), (Class<SpecificRecord>) of.record().orElseThrow()));
  }

  // ---- plugins

  @Override
  public List<Rpc> made() {
    return calls.made();
  }

  @Override
  public List<Rpc> open() {
    return calls.made().stream().filter(rpc -> rpc.ended() == null).toList();
  }

  /** The drivers' own log, whatever the topics say. */
  List<Call> log() {
    return system.calls().calls();
  }

  /** Calls of which no work record that was read says that they should be made. */
  List<Call> unasked() {
    look();
    return calls.unasked(system.calls());
  }

  @Override
  public void script(Value.Fields script) {
    calls.add(script);
  }

  @Override
  public void answer(Rpc rpc, PluginAnswer answer) {
    calls.answer(rpc, answer);
  }

  /**
   * An instance that appears is started, and the worker finds it. What becomes of it later is
   * reported as the worker beside it would: the one worker there is serves them all, and cannot
   * leave with one of them.
   */
  @Override
  public void instance(String key, PluginInstance instance) {
    if (expected.containsKey(key)) {
      // Else the worker, which has not found it yet, would say the last word of it.
      settle();
    }
    boolean runs =
        instance.getHealth() == PluginHealth.HEALTHY
            && (instance.getRole() == PluginRole.CONTROLLER
                || instance.getExternalNode().isPresent());
    if (runs) {
      system.run(instance);
    }
    PluginInstance found = instances.get(key);
    if (runs && found == null) {
      expected.put(key, instance);
    } else if (found == null) {
      write(Topic.PLUGINS, key, instance);
    } else {
      write(
          Topic.PLUGINS,
          key,
          PluginInstance.newBuilder(instance)
              .setRoute(found.getRoute())
              .setEndpoint(found.getEndpoint())
              .setWorker(found.getWorker())
              .build());
    }
  }

  private void found(String key, PluginInstance instance) {
    instances.put(key, instance);
    PluginInstance wanted = expected.get(key);
    if (wanted != null && instance.getHealth() == wanted.getHealth()) {
      expected.remove(key);
    }
  }

  @Override
  public String secretReference(String name) {
    return system.secretReference(name);
  }

  @Override
  public void secret(String name, @Nullable String value) {
    system.secret(name, value);
  }

  // ---- running

  @Override
  public boolean setsUpAtOnce() {
    return true;
  }

  @Override
  public void settle() {
    patienceEnds = null;
    lastNews = now();
    Instant latest = lastNews.plus(LONGEST);
    // Twice: what was on its way at the first look is there at the second.
    int quiet = 0;
    while (quiet < 2 && now().isBefore(latest)) {
      boolean news = look();
      boolean silent = now().isAfter(lastNews.plus(SILENCE));
      quiet = !news && (silent || (system.hasProcessed() && isReported())) ? quiet + 1 : 0;
      if (silent && quiet > 0) {
        // Whatever that is, it is not waited for again.
        unreported.clear();
        expected.clear();
      }
    }
  }

  private boolean isReported() {
    Set<String> left = new HashSet<>(unreported.keySet());
    left.removeAll(calls.waitingAttempts());
    return left.isEmpty() && expected.isEmpty();
  }

  @Override
  public void advance(Duration by) {
    Instant end = now().plus(by);
    while (now().isBefore(end)) {
      look();
    }
  }

  @Override
  public boolean waitsForMore() {
    if (patienceEnds == null) {
      patienceEnds = now().plus(PATIENCE);
    }
    look();
    return now().isBefore(patienceEnds);
  }

  /** Takes what was written and called since the last look. Returns whether there was anything. */
  private boolean look() {
    List<Seen> fresh = new ArrayList<>();
    for (ConsumerRecord<String, byte[]> written : system.read()) {
      Topic topic = system.topics().find(written.topic()).orElseThrow();
      Seen record =
          seen(Instant.ofEpochMilli(written.timestamp()), topic, written.key(), written.value());
      story.add(new Happened.Written(record));
      seen(topic).add(record);
      take(record);
      if (isOfBerth(topic)) {
        fresh.add(record);
      }
    }
    trace.went(fresh, false);
    boolean news = !calls.look(system.calls(), trace).isEmpty() || !fresh.isEmpty();
    if (news) {
      lastNews = now();
    }
    return news;
  }

  /** What steps write was noted when they wrote it. */
  private static boolean isOfBerth(Topic topic) {
    return topic != Topic.ALLOC_EVENTS
        && topic != Topic.COMMANDS
        && topic != Topic.NODES
        && topic != Topic.POLICIES;
  }

  private void take(Seen record) {
    SpecificRecord value = record.value();
    if (record.topic() == Topic.CLAIMS) {
      if (value instanceof Claim claim) {
        claims.put(record.key(), ClaimCodec.CLAIM.decode().apply(claim));
      } else if (record.bytes() == null) {
        claims.remove(record.key());
      }
    } else if (value instanceof ClaimDecision decision) {
      folded.applyAll(DecisionCodec.changes(decision));
    } else if (value instanceof PluginInstance instance) {
      found(record.key(), instance);
    } else if (value instanceof Work work) {
      if (unreported.putIfAbsent(work.getAttemptId(), work.getCalls().size()) == null) {
        calls.wanted(work);
      }
    } else if (value instanceof Outcome outcome) {
      if (outcome.getFate() == CallFate.NOT_SENT) {
        calls.notSent(outcome.getAttemptId(), outcome.getCallIndex());
      }
      unreported.computeIfPresent(
          outcome.getAttemptId(), (attempt, left) -> left == 1 ? null : left - 1);
    }
  }

  @Override
  public void restartStreams() {
    trace.step("the Streams application ends and starts again");
    try {
      system.restartStreams();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the Streams application restarts", e);
    }
  }

  @Override
  public void rebalance(String plugin) {
    throw new UnsupportedOperationException("there is one live worker");
  }

  @Override
  public void crashWorkers() {
    throw new UnsupportedOperationException("a live worker cannot be killed alone");
  }

  // ---- the table

  @Override
  public <V> Map<String, V> rows(Table<V> table) {
    Map<String, V> values = new LinkedHashMap<>();
    if (table.equals(ClaimTables.CLAIMS)) {
      claims.forEach((key, claim) -> values.put(key, table.type().cast(claim)));
    } else {
      for (State.Entry<V> row : folded.scan(table, "")) {
        values.put(row.key(), row.value());
      }
    }
    return values;
  }

  @Override
  public <V> @Nullable V row(Table<V> table, String key) {
    return rows(table).get(key);
  }

  @Override
  public <V> void edit(Table<V> table, String key, V value) {
    throw new UnsupportedOperationException("a live store cannot be edited");
  }

  @Override
  public Optional<Duration> eta(String alloc) {
    throw new UnsupportedOperationException("a live store cannot be asked");
  }

  @Override
  public void close() {
    logged.close();
    system.close();
  }
}
