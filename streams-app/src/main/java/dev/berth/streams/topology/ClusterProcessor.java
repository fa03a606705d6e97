package dev.berth.streams.topology;

import dev.berth.records.NodeStatus;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterDecider;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.Signal;
import dev.berth.streams.codec.ClusterCodecs;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.command.Answer;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The edge of {@code Cluster}: turns records into events of the core, and its decisions into writes
 * and records. Owned by one task's thread; there is one such task.
 */
final class ClusterProcessor implements Processor<String, byte[], String, Object> {
  /** Name of the processor, and owner of its stores. Fixed. */
  static final String NAME = "cluster";

  /** Nothing here is due sooner, and each firing is a transaction. */
  static final Duration TICK = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ClusterProcessor.class);

  private final TopologyContext topology;
  private final OwnedTables tables;
  private final Policies configured;
  private final Ticking ticking = new Ticking();

  private @Nullable Task task;

  /**
   * Prepares.
   *
   * @param topology what the topology is built for
   * @param tables its stores
   * @param configured the configuration's policies
   */
  ClusterProcessor(TopologyContext topology, OwnedTables tables, Policies configured) {
    this.topology = topology;
    this.tables = tables;
    this.configured = configured;
  }

  @Override
  public void init(ProcessorContext<String, Object> context) {
    Task opened = new Task(context);
    task = opened;
    // The first tick is due at once: it brings the configuration's policies.
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
    private final Outlets outlets;
    private final Incoming incoming;
    private boolean hasToldNodes;

    Task(ProcessorContext<String, Object> context) {
      this.context = context;
      state = tables.open(context);
      outlets = new Outlets(NAME, context, topology);
      incoming =
          new Incoming(
              topology.topics(),
              topology.registry(),
              context,
              outlets,
              ClusterSubtopology.SOURCES.toArray(Topic[]::new));
    }

    void tick() {
      if (!hasToldNodes) {
        tellNodes();
        hasToldNodes = true;
      }
      decide(new ClusterEvent.Tick(), null);
    }

    /**
     * Once per start: a topic that is new, was lost, or has got more partitions than before lacks
     * nodes that do not change. Of a node that is gone nobody asks before it changes.
     */
    private void tellNodes() {
      List<Outlets.Outgoing> views =
          state.scan(ClusterTables.NODES, "").stream()
              .map(State.Entry::value)
              .filter(node -> node.status() != NodeStatus.GONE)
              .map(Task::view)
              .toList();
      outlets.send(outlets.ready(views));
    }

    private static Outlets.Outgoing view(NodeView node) {
      return new Outlets.Outgoing(
          Topic.NODE_VIEWS, node.node(), ClusterCodecs.NODE_VIEW.encode().apply(node));
    }

    void process(Record<String, byte[]> record) {
      ClusterEvent event;
      try {
        event = event(record);
      } catch (IllegalArgumentException invalid) {
        incoming.reject(record, String.valueOf(invalid.getMessage()));
        return;
      }
      if (event != null) {
        decide(event, record);
      }
    }

    /** The event of a record; null when it was put aside because nobody can read it. */
    private @Nullable ClusterEvent event(Record<String, byte[]> record) {
      Topic source = incoming.source();
      if (source == null || record.key() == null) {
        throw new IllegalArgumentException("the key is null: key the record by what it is about");
      }
      if (record.value() == null) {
        return ClusterInput.deletion(source, record.key());
      }
      SpecificRecord read = incoming.read(record);
      return read == null ? null : ClusterInput.event(record.key(), read);
    }

    /**
     * Decides an event.
     *
     * @param cause record in hand; null when time passed
     */
    void decide(ClusterEvent event, @Nullable Record<String, byte[]> cause) {
      Instant now = Instant.ofEpochMilli(context.currentSystemTimeMs());
      Decision<ClusterEffect> decision = ClusterDecider.decide(state, event, now, configured);
      List<Outlets.Ready> records = outlets.ready(records(decision.effects(), now));
      List<StoreState.Row> rows = state.rowsOf(decision.changes());
      state.write(rows);
      outlets.send(records);
      decision.effects().forEach(effect -> tell(effect, cause));
    }

    private static List<Outlets.Outgoing> records(List<ClusterEffect> effects, Instant now) {
      List<Outlets.Outgoing> records = new ArrayList<>();
      for (ClusterEffect effect : effects) {
        if (effect instanceof ClusterEffect.Broadcast broadcast) {
          SpecificRecord signal =
              ClusterCodecs.SIGNAL.encode().apply(new Signal(now, broadcast.signal()));
          records.add(new Outlets.Outgoing(Topic.VOLUME_SIGNALS, null, signal));
          records.add(new Outlets.Outgoing(Topic.LANE_SIGNALS, null, signal));
          if (broadcast.signal() instanceof ClusterSignal.NodeChanged changed) {
            records.add(view(changed.node()));
          }
        } else if (effect instanceof ClusterEffect.Answered answered) {
          SpecificRecord result = CommandCodecs.ANSWER.encode().apply(answered.answer());
          records.add(
              new Outlets.Outgoing(Topic.COMMAND_RESULTS, answered.answer().commandId(), result));
        }
      }
      return records;
    }

    private void tell(ClusterEffect effect, @Nullable Record<String, byte[]> cause) {
      if (effect instanceof ClusterEffect.Broadcast broadcast) {
        log(broadcast.signal());
      } else if (effect instanceof ClusterEffect.Answered answered) {
        log(answered.answer());
      } else if (effect instanceof ClusterEffect.Rejected rejected && cause != null) {
        incoming.reject(cause, rejected.reason());
      }
    }
  }

  private static void log(Answer answer) {
    LOG.info(
        "command={} subject={} by={} refused={}",
        answer.command(),
        answer.subject(),
        answer.by(),
        answer.refusal() == null ? "no" : answer.refusal().text());
  }

  private static void log(ClusterSignal signal) {
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      NodeView node = changed.node();
      LOG.info(
          "node={} status={} incarnation={} fenced={}",
          node.node(),
          node.status(),
          node.incarnation(),
          node.fenced());
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      LOG.info(
          "plugin={} node={} role={} healthy={} text={}",
          changed.instance().plugin(),
          changed.instance().node(),
          changed.instance().role(),
          changed.instance().healthy(),
          changed.instance().healthText());
    } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
      LOG.info(
          "plugin={} node={} role={} removed", removed.plugin(), removed.node(), removed.role());
    } else if (signal instanceof ClusterSignal.PluginRemoved removed) {
      LOG.info("plugin={} record removed", removed.plugin());
    } else if (signal instanceof ClusterSignal.PoliciesChanged changed) {
      LOG.info("policies version={}", changed.policies().version());
    } else {
      LOG.debug("signal={}", signal);
    }
  }
}
