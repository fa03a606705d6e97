package dev.berth.streams.topology;

import dev.berth.records.LanesRow;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.codec.LaneStoreCodecs;
import dev.berth.streams.codec.ListingCodecs;
import dev.berth.streams.codec.PluginLanesCodec;
import dev.berth.streams.lanes.LaneTables;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** The part of the topology that {@code Lanes} is: its sources, stores and sinks. */
final class LanesSubtopology {
  /** What it reads. */
  static final List<Topic> SOURCES =
      List.of(
          Topic.LANE_REQUESTS,
          Topic.LANE_SIGNALS,
          Topic.WORK_ACCEPTANCES,
          Topic.WORK_OUTCOMES,
          Topic.PLUGIN_LISTINGS,
          Topic.SECRETS_FOUND);

  /** What it writes. */
  private static final List<Topic> SINKS =
      List.of(
          Topic.PLUGIN_WORK,
          Topic.NODE_WORK,
          Topic.SETTLEMENTS,
          Topic.DRIFT_FINDINGS,
          Topic.COMMAND_RESULTS,
          Topic.REJECTED_RECORDS);

  private LanesSubtopology() {}

  /** Adds it. */
  static void addTo(Topology topology, TopologyContext context) {
    Wiring wiring = new Wiring(topology, context);
    SOURCES.forEach(wiring::from);
    topology.addProcessor(
        LanesProcessor.NAME,
        supplier(context),
        SOURCES.stream().map(Wiring::source).toArray(String[]::new));
    SINKS.forEach(topic -> wiring.to(topic, LanesProcessor.NAME));
    wiring.to(Topic.LANE_STATUS, LanesProcessor.NAME, new PluginPartitioner());
    wiring.to(Topic.NODE_SLOTS, LanesProcessor.NAME, new PluginPartitioner());
  }

  /** Its stores. */
  static OwnedTables tables(TopologyContext context) {
    OwnedTables own =
        OwnedTables.of(
                LanesProcessor.NAME, context, LanesRow.class, LanesRow::new, LanesRow::getRow)
            .with(LaneTables.REQUESTS, LaneStoreCodecs.CALL)
            .kept(LaneTables.ATTEMPTS, LaneStoreCodecs.ATTEMPT)
            .kept(LaneTables.LANES, LaneStoreCodecs.LANE)
            .kept(LaneTables.PLUGIN_LANES, PluginLanesCodec.PLUGIN_LANES)
            .with(LaneTables.SLOTS, LaneStoreCodecs.SLOT)
            .kept(LaneTables.SLOT_COUNTS, LaneStoreCodecs.SLOT_COUNT)
            .with(LaneTables.EXTERNAL_IDS, LaneStoreCodecs.EXTERNAL_ID)
            .kept(LaneTables.BREAKERS, LaneStoreCodecs.BREAKER)
            .kept(LaneTables.QUEUE, LaneStoreCodecs.QUEUE_ENTRY)
            .kept(LaneTables.AGES, LaneStoreCodecs.QUEUE_ENTRY)
            .kept(LaneTables.HELD, LaneStoreCodecs.QUEUE_ENTRY)
            .kept(LaneTables.DUE, LaneStoreCodecs.DUE)
            .kept(LaneTables.SNAPSHOTS, ListingCodecs.SNAPSHOT)
            .with(LaneTables.LISTED_PAGES, ListingCodecs.PAGE)
            .with(LaneTables.LISTED, ListingCodecs.RUN);
    return ClusterSubtopology.withCopy(own);
  }

  private static ProcessorSupplier<String, byte[], String, Object> supplier(
      TopologyContext context) {
    OwnedTables tables = tables(context);
    return new ProcessorSupplier<>() {
      @Override
      public Processor<String, byte[], String, Object> get() {
        return new LanesProcessor(context, tables);
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return tables.builders();
      }
    };
  }
}
