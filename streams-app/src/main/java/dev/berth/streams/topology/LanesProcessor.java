package dev.berth.streams.topology;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.PluginListing;
import dev.berth.records.SecretsFound;
import dev.berth.records.Signal;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterCopy;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.codec.ClusterCodecs;
import dev.berth.streams.codec.LaneRequestCodec;
import dev.berth.streams.codec.ListingCodecs;
import dev.berth.streams.codec.WorkCodecs;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesDecider;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edge of the lanes: turns records into events of the core, and its decisions into writes and
 * records. Owned by one task's thread; decides for the plugins of one partition.
 */
final class LanesProcessor implements Processor<String, byte[], String, Object> {
  /** Name of the processor, and owner of its stores. Fixed. */
  static final String NAME = "lanes";

  private static final Duration TICK = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(LanesProcessor.class);

  private final TopologyContext topology;
  private final OwnedTables tables;
  private final Ticking ticking = new Ticking();

  private @Nullable Task task;

  LanesProcessor(TopologyContext topology, OwnedTables tables) {
    this.topology = topology;
    this.tables = tables;
  }

  @Override
  public void init(ProcessorContext<String, Object> context) {
    Task opened = new Task(context);
    task = opened;
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
    private final LanesOutput output;
    private final LaneTimes times = new LaneTimes();
    private @Nullable Policies policies;
    private final ClockWatch clock;
    private boolean takenOver;

    Task(ProcessorContext<String, Object> context) {
      this.context = context;
      clock = topology.clockWatches().get();
      state = tables.open(context);
      Outlets outlets = new Outlets(NAME, context, topology);
      incoming =
          new Incoming(
              topology.topics(),
              topology.registry(),
              context,
              outlets,
              LanesSubtopology.SOURCES.toArray(Topic[]::new));
      output = new LanesOutput(outlets, times, new Counts(context));
    }

    void process(Record<String, byte[]> record) {
      takeOver();
      if (record.value() == null) {
        incoming.reject(record, "the value is null: this topic has no tombstones");
        return;
      }
      SpecificRecord read = incoming.read(record);
      if (read instanceof Signal signal) {
        signal(record, ClusterCodecs.SIGNAL.decode().apply(signal).body());
      } else if (read != null) {
        pluginRecord(record, read);
      }
    }

    private void pluginRecord(Record<String, byte[]> record, SpecificRecord read) {
      String plugin;
      LanesEvent event;
      try {
        plugin = plugin(read);
        event = event(read);
      } catch (IllegalArgumentException invalid) {
        incoming.reject(record, String.valueOf(invalid.getMessage()));
        return;
      }
      if (belongs(record, plugin)) {
        decide(event, StepTimes.of(record.headers()));
      }
    }

    /**
     * A record of another partition must not be decided here: its plugin has its lanes elsewhere.
     */
    private boolean belongs(Record<String, byte[]> record, String plugin) {
      int expected = Keys.partition(plugin, topology.lanePartitions());
      if (!plugin.equals(record.key())) {
        incoming.reject(
            record,
            "the key is '"
                + record.key()
                + "' but the record is about plugin "
                + plugin
                + ": key it by that");
      } else if (expected != context.taskId().partition()) {
        incoming.reject(
            record,
            "key "
                + plugin
                + " belongs into partition "
                + expected
                + ": use the partitioner of Kafka's Java client");
      } else {
        return true;
      }
      return false;
    }

    private String plugin(SpecificRecord read) {
      if (read instanceof LaneRequest request) {
        return request.getPlugin();
      } else if (read instanceof Acceptance acceptance) {
        return acceptance.getPlugin();
      } else if (read instanceof Outcome outcome) {
        return outcome.getPlugin();
      } else if (read instanceof PluginListing listing) {
        return listing.getPlugin();
      } else if (read instanceof SecretsFound found) {
        return found.getPlugin();
      }
      throw new IllegalArgumentException(read.getSchema().getName() + " is no event of a lane");
    }

    private LanesEvent event(SpecificRecord read) {
      if (read instanceof LaneRequest request) {
        return new LanesEvent.Requested(LaneRequestCodec.LANE_REQUEST.decode().apply(request));
      } else if (read instanceof Acceptance acceptance) {
        return WorkCodecs.accepted(acceptance);
      } else if (read instanceof PluginListing listing) {
        return ListingCodecs.arrived(listing);
      } else if (read instanceof SecretsFound found) {
        return new LanesEvent.SecretsFound(found.getPlugin(), found.getReferences());
      }
      return WorkCodecs.outcome((Outcome) read);
    }

    // ---- the cluster

    private void signal(Record<String, byte[]> record, ClusterSignal signal) {
      if (signal instanceof ClusterSignal.PassedCommand passed) {
        if (belongs(record, passed.command().body().subject())) {
          decide(new LanesEvent.Commanded(passed.command()));
        }
        return;
      }
      Optional<LanesEvent> event = event(signal);
      Draft<Object> draft = new Draft<>(state);
      ClusterCopy.apply(signal, draft);
      state.write(state.rowsOf(draft.decision().changes()));
      event.ifPresent(this::decide);
    }

    /**
     * The event of a signal; made before the copy of the cluster changes, for some need to know
     * what was there.
     */
    private Optional<LanesEvent> event(ClusterSignal signal) {
      if (signal instanceof ClusterSignal.NodeChanged changed) {
        return Optional.of(new LanesEvent.NodeChanged(changed.node().node()));
      } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
        InstanceView before = state.get(ClusterTables.INSTANCES, changed.instance().key());
        return Optional.of(LanesEvent.InstanceChanged.of(before, changed.instance()));
      } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
        return Optional.of(
            LanesEvent.InstanceChanged.removed(removed.plugin(), removed.node(), removed.role()));
      } else if (signal instanceof ClusterSignal.PluginChanged changed) {
        return Optional.of(new LanesEvent.PluginChanged(changed.plugin().plugin()));
      } else if (signal instanceof ClusterSignal.PluginRemoved removed) {
        return Optional.of(new LanesEvent.PluginChanged(removed.plugin()));
      } else if (signal instanceof ClusterSignal.PoliciesChanged changed) {
        policies = changed.policies();
        return Optional.of(new LanesEvent.PoliciesChanged());
      } else if (signal instanceof ClusterSignal.GarbageCollection) {
        return Optional.of(new LanesEvent.GcRequested());
      }
      return Optional.empty();
    }

    // ---- time

    private void tick() {
      takeOver();
      Instant now = now();
      if (clock.wasSet(now)) {
        LOG.warn("the clock was set: open calls get their full time again now={}", now);
        decide(new LanesEvent.ClockSet());
      }
      State.Entry<DueItem> next = state.first(LaneTables.DUE, "");
      if (next != null && LaneTables.isDue(next.key(), now)) {
        decide(new LanesEvent.Due());
      }
    }

    /**
     * Whoever owns the lanes now waits anew and in full for what is open: the time that passed was
     * another's.
     */
    private void takeOver() {
      if (!takenOver) {
        takenOver = true;
        output.expectReports(state);
        decide(new LanesEvent.OwnerChanged());
        output.send(output.allWaiting(state, now()));
      }
    }

    // ---- deciding

    /** Decides what no record of a call's way brought. */
    private void decide(LanesEvent event) {
      decide(event, StepTimes.NONE);
    }

    private void decide(LanesEvent event, StepTimes said) {
      Instant now = now();
      times.begin(event, said, now);
      Decision<LanesEffect> decision = LanesDecider.decide(state, event, now, policies());
      List<Outlets.Ready> records = output.prepare(decision, state, now);
      List<StoreState.Row> rows = state.rowsOf(decision.changes());
      state.write(rows);
      output.send(records);
      DecisionLog.tell(decision);
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
  }
}
