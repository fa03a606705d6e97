package dev.berth.streams.topology;

import dev.berth.records.AllocEvent;
import dev.berth.records.Command;
import dev.berth.records.Settlement;
import dev.berth.records.Signal;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.Wake;
import dev.berth.streams.cluster.ClusterCopy;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.codec.AllocEventCodec;
import dev.berth.streams.codec.ClusterCodecs;
import dev.berth.streams.codec.CommandCheck;
import dev.berth.streams.codec.DecisionCodec;
import dev.berth.streams.codec.SettlementCodec;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edge of the claims: turns records into events of the core, and its decisions into writes and
 * records. Owned by one task's thread; decides for the volumes of one partition. A decision is
 * complete before anything is written: with exactly-once, what was written before an exception
 * would be committed.
 */
final class VolumeClaimsProcessor implements Processor<String, byte[], String, Object> {
  /** Name of the processor, and owner of its stores. Fixed. */
  static final String NAME = "volume-claims";

  private static final Duration TICK = Duration.ofSeconds(1);

  /**
   * Volumes looked at in one go of a sweep, so that a sweep over a large table does not hold up
   * events.
   */
  private static final int SWEEP_SLICE = 1_000;

  /** How long a volume that cannot be decided is left alone by looks. */
  private static final Duration PUT_OFF = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(VolumeClaimsProcessor.class);

  private final TopologyContext topology;
  private final OwnedTables tables;
  private final Ticking ticking = new Ticking();

  private @Nullable Task task;

  VolumeClaimsProcessor(TopologyContext topology, OwnedTables tables) {
    this.topology = topology;
    this.tables = tables;
  }

  @Override
  public void init(ProcessorContext<String, Object> context) {
    Task opened = new Task(context);
    task = opened;
    // The first tick is due at once: a start looks at every volume.
    ticking.begin(context, TICK, opened::tick);
  }

  @Override
  public void process(Record<String, byte[]> record) {
    if (task == null) {
      throw new IllegalStateException(NAME + " was not initialised");
    }
    task.process(record);
  }

  @Override
  public void close() {
    ticking.end();
    task = null;
  }

  /** What exists once the task is open. */
  private final class Task {
    private final ProcessorContext<String, Object> context;
    private final StoreState state;
    private final Incoming incoming;
    private final ClaimsOutput output;
    private final Counts counts;
    private final Map<VolumeKey, Instant> putOff = new HashMap<>();
    private @Nullable Policies policies;

    /** The sweep in progress; null when none is. A start sweeps: an event may have been lost. */
    private @Nullable Sweep sweep = Sweep.begin(ClaimsEvent.Look.START_UP, false);

    Task(ProcessorContext<String, Object> context) {
      this.context = context;
      state = tables.open(context);
      Outlets outlets = new Outlets(NAME, context, topology);
      incoming =
          new Incoming(
              topology.topics(),
              topology.registry(),
              context,
              outlets,
              Topic.ALLOC_EVENTS,
              Topic.COMMANDS,
              Topic.SETTLEMENTS,
              Topic.VOLUME_SIGNALS);
      output = new ClaimsOutput(outlets);
      counts = new Counts(context);
    }

    /** Read once and kept: decoding them for every event would resolve them anew. */
    private Policies policies() {
      Policies known = policies == null ? ClusterTables.policies(state) : policies;
      policies = known;
      return known;
    }

    private Instant now() {
      return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }

    void process(Record<String, byte[]> record) {
      if (record.value() == null) {
        incoming.reject(
            record,
            "the value is null: " + topology.topics().name(source()) + " has no tombstones");
        return;
      }
      SpecificRecord read = incoming.read(record);
      if (read instanceof Signal signal) {
        signal(signal);
      } else if (read != null) {
        volumeRecord(record, read);
      }
    }

    private Topic source() {
      Topic source = incoming.source();
      return source == null ? Topic.ALLOC_EVENTS : source;
    }

    private void volumeRecord(Record<String, byte[]> record, SpecificRecord read) {
      ClaimsEvent event;
      try {
        event = event(read);
      } catch (IllegalArgumentException invalid) {
        incoming.reject(record, String.valueOf(invalid.getMessage()));
        return;
      }
      String key = event.key().toString();
      int expected = Keys.partition(key, topology.volumePartitions());
      if (!key.equals(record.key())) {
        incoming.reject(
            record,
            "the key is '"
                + record.key()
                + "' but the record is about "
                + key
                + ": key it by that");
      } else if (expected != context.taskId().partition()) {
        incoming.reject(
            record,
            "key "
                + key
                + " belongs into partition "
                + expected
                + ": use the partitioner of Kafka's Java client");
      } else {
        decide(event, read, ClaimTimes.of(incoming.source(), record));
      }
    }

    private ClaimsEvent event(SpecificRecord read) {
      if (read instanceof AllocEvent event) {
        return AllocEventCodec.stated(event, now());
      }
      if (read instanceof Settlement settlement) {
        return new ClaimsEvent.Settled(
            VolumeKey.parse(settlement.getVolumeKey()),
            SettlementCodec.SETTLEMENT.decode().apply(settlement));
      }
      if (read instanceof Command command) {
        dev.berth.streams.command.Command decoded = CommandCheck.answerable(command);
        return new ClaimsEvent.Commanded(VolumeKey.parse(decoded.body().subject()), decoded);
      }
      throw new IllegalArgumentException(read.getSchema().getName() + " is no event of a volume");
    }

    // ---- the cluster

    private void signal(Signal signal) {
      ClusterSignal body = ClusterCodecs.SIGNAL.decode().apply(signal).body();
      Draft<Object> draft = new Draft<>(state);
      ClusterCopy.apply(body, draft);
      state.write(state.rowsOf(draft.decision().changes()));
      if (body instanceof ClusterSignal.NodeChanged changed) {
        lookAtNode(changed.node().node(), signal);
      } else if (body instanceof ClusterSignal.InstanceChanged changed) {
        lookAtNode(changed.instance().node(), signal);
      } else if (body instanceof ClusterSignal.InstanceRemoved removed) {
        lookAtNode(removed.node(), signal);
      } else if (body instanceof ClusterSignal.PoliciesChanged changed) {
        policies = changed.policies();
        sweep("policies", false);
      } else if (body instanceof ClusterSignal.GarbageCollection gc) {
        sweep(ClaimsEvent.Look.COLLECTION, gc.ignoreThresholds());
      }
    }

    private void lookAtNode(String node, Signal signal) {
      Set<VolumeKey> volumes = new LinkedHashSet<>();
      state
          .scan(ClaimTables.BY_NODE, node + "/")
          .forEach(entry -> volumes.add(entry.value().key()));
      volumes.forEach(key -> look(new ClaimsEvent.Look(key, "node-changed", false), signal));
    }

    // ---- time

    void tick() {
      due();
      sweepOn();
    }

    private void due() {
      String until = ClaimTables.duePrefix(now().plusMillis(1));
      State.Entry<Wake> next = state.first(ClaimTables.DUE, "");
      while (next != null && next.key().compareTo(until) < 0) {
        String after = next.key() + '\0';
        look(VolumeKey.parse(next.value().subject()), "due", false);
        next = state.ceiling(ClaimTables.DUE, "", after);
      }
    }

    private void sweep(String reason, boolean ignoreThresholds) {
      Sweep before = sweep;
      sweep =
          before == null
              ? Sweep.begin(reason, ignoreThresholds)
              : before.again(reason, ignoreThresholds);
      sweepOn();
    }

    private void sweepOn() {
      Sweep present = sweep;
      if (present == null) {
        return;
      }
      State.Entry<?> next = state.ceiling(ClaimTables.VOLUMES, "", present.from());
      for (int looked = 0; next != null && looked < SWEEP_SLICE; looked++) {
        look(VolumeKey.parse(next.key()), present.reason(), present.ignoresThresholds());
        next = state.ceiling(ClaimTables.VOLUMES, "", next.key() + '\0');
      }
      sweep = next == null ? null : present.onFrom(next.key());
    }

    private void look(VolumeKey key, String why, boolean ignoreThresholds) {
      look(new ClaimsEvent.Look(key, why, ignoreThresholds), DecisionCodec.timer(why));
    }

    /**
     * Looks at a volume. One that cannot be decided must not keep the others from being looked at:
     * no record is in hand that could be put aside, so the fault is logged and the volume left
     * alone for a while.
     */
    private void look(ClaimsEvent.Look look, SpecificRecord cause) {
      Instant until = putOff.get(look.key());
      if (until != null && now().isBefore(until)) {
        return;
      }
      Made made;
      try {
        made = make(look, cause, StepTimes.NONE);
        putOff.remove(look.key());
      } catch (RegistryUnavailableException later) {
        throw later;
      } catch (RuntimeException fault) {
        putOff.put(look.key(), now().plus(PUT_OFF));
        LOG.error(
            "cannot decide volume={} why={}, left alone for {}",
            look.key(),
            look.why(),
            PUT_OFF,
            fault);
        return;
      }
      carryOut(made);
    }

    // ---- deciding

    private void decide(ClaimsEvent event, SpecificRecord cause, StepTimes times) {
      Made made = make(event, cause, times);
      if (made.rows().isEmpty() && made.records().isEmpty()) {
        LOG.debug("ignored volume={} event={}", event.key(), event);
        counts.ignored(topology.topics().name(source()));
      }
      carryOut(made);
    }

    /** Decides and makes everything that follows; nothing is written yet. */
    private Made make(ClaimsEvent event, SpecificRecord cause, StepTimes times) {
      Instant now = now();
      Decision<ClaimsEffect> decision = ClaimsDecider.decide(state, event, now, policies());
      Made made =
          new Made(
              state.rowsOf(decision.changes()),
              output.prepare(event.key(), now, policies().version(), cause, times, decision));
      DecisionLog.tell(event, decision);
      return made;
    }

    private void carryOut(Made made) {
      state.write(made.rows());
      output.send(made.records());
    }
  }

  /**
   * A decision with all that is to be written and sent.
   *
   * @param rows rows of the store
   * @param records records of topics
   */
  private record Made(List<StoreState.Row> rows, List<Outlets.Ready> records) {}
}
