package dev.berth.streams.topology;

import dev.berth.records.ClusterRow;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.OwnTables;
import dev.berth.streams.codec.ClusterCodecs;
import dev.berth.streams.codec.ReportCodecs;
import dev.berth.streams.policy.Policies;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** The part of the topology that {@code Cluster} is: its sources, stores and sinks. */
final class ClusterSubtopology {
  /** What it reads. */
  static final List<Topic> SOURCES =
      List.of(Topic.NODES, Topic.PLUGINS, Topic.POLICIES, Topic.CLUSTER_COMMANDS);

  private ClusterSubtopology() {}

  /**
   * Adds it.
   *
   * @param configured the configuration's policies
   */
  static void addTo(Topology topology, TopologyContext context, Policies configured) {
    Wiring wiring = new Wiring(topology, context);
    SOURCES.forEach(wiring::from);
    topology.addProcessor(
        ClusterProcessor.NAME,
        supplier(context, configured),
        SOURCES.stream().map(Wiring::source).toArray(String[]::new));
    wiring
        .to(Topic.VOLUME_SIGNALS, ClusterProcessor.NAME, new EveryPartition())
        .to(Topic.LANE_SIGNALS, ClusterProcessor.NAME, new EveryPartition())
        .to(Topic.NODE_VIEWS, ClusterProcessor.NAME)
        .to(Topic.COMMAND_RESULTS, ClusterProcessor.NAME)
        .to(Topic.REJECTED_RECORDS, ClusterProcessor.NAME);
  }

  /** The copy of the cluster in {@link ClusterTables}, as every processor stores it. */
  static OwnedTables withCopy(OwnedTables tables) {
    return tables
        .kept(ClusterTables.NODES, ClusterCodecs.NODE_VIEW)
        .kept(ClusterTables.INSTANCES, ClusterCodecs.INSTANCE_VIEW)
        .kept(ClusterTables.PLUGINS, ClusterCodecs.PLUGIN_VIEW)
        .with(ClusterTables.POLICIES, ClusterCodecs.POLICIES);
  }

  static OwnedTables tables(TopologyContext context) {
    return withCopy(
            OwnedTables.of(
                ClusterProcessor.NAME,
                context,
                ClusterRow.class,
                ClusterRow::new,
                ClusterRow::getRow))
        .with(OwnTables.SIGHTINGS, ReportCodecs.SIGHTING)
        .with(OwnTables.NAMED_POLICIES, ReportCodecs.POLICY)
        .with(OwnTables.CLOCK, ReportCodecs.CLOCK);
  }

  private static ProcessorSupplier<String, byte[], String, Object> supplier(
      TopologyContext context, Policies configured) {
    OwnedTables tables = tables(context);
    return new ProcessorSupplier<>() {
      @Override
      public Processor<String, byte[], String, Object> get() {
        return new ClusterProcessor(context, tables, configured);
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return tables.builders();
      }
    };
  }
}
