package dev.berth.streams.topology;

import dev.berth.records.VolumeClaimsRow;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.codec.AttachmentCodec;
import dev.berth.streams.codec.ClaimCodec;
import dev.berth.streams.codec.ClaimStoreCodecs;
import dev.berth.streams.codec.ListingCodecs;
import dev.berth.streams.codec.VolumeCodec;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The part of the topology that {@code VolumeClaims} is: its sources, the router of commands,
 * stores and sinks.
 */
final class VolumeClaimsSubtopology {
  /** What it reads, commands apart, which come through the router. */
  static final List<Topic> SOURCES =
      List.of(Topic.ALLOC_EVENTS, Topic.SETTLEMENTS, Topic.VOLUME_SIGNALS);

  /** What it writes into the partition of the volume, whatever else the key holds. */
  private static final List<Topic> BY_VOLUME =
      List.of(
          Topic.VOLUMES, Topic.CLAIMS, Topic.ATTACHMENTS, Topic.CLAIM_HISTORY, Topic.STUCK_CLAIMS);

  /** What it writes by the whole key. */
  private static final List<Topic> BY_KEY =
      List.of(
          Topic.CLAIM_REPLIES,
          Topic.LANE_REQUESTS,
          Topic.COMMAND_RESULTS,
          Topic.DRIFT_FINDINGS,
          Topic.REJECTED_RECORDS);

  private VolumeClaimsSubtopology() {}

  /** Adds it. */
  static void addTo(Topology topology, TopologyContext context) {
    String name = VolumeClaimsProcessor.NAME;
    Wiring wiring = new Wiring(topology, context);
    wiring.from(Topic.COMMANDS);
    SOURCES.forEach(wiring::from);
    topology.addProcessor(
        CommandRouter.NAME, () -> new CommandRouter(context, name), Wiring.source(Topic.COMMANDS));
    topology.addProcessor(name, supplier(context), parents());
    BY_VOLUME.forEach(topic -> wiring.to(topic, name, new VolumePartitioner()));
    BY_KEY.forEach(topic -> wiring.to(topic, name));
    wiring
        .to(Topic.CLUSTER_COMMANDS, CommandRouter.NAME)
        .to(Topic.LANE_SIGNALS, CommandRouter.NAME)
        .to(Topic.COMMAND_RESULTS, CommandRouter.NAME)
        .to(Topic.REJECTED_RECORDS, CommandRouter.NAME);
  }

  private static String[] parents() {
    String[] parents = new String[SOURCES.size() + 1];
    for (int i = 0; i < SOURCES.size(); i++) {
      parents[i] = Wiring.source(SOURCES.get(i));
    }
    parents[SOURCES.size()] = CommandRouter.NAME;
    return parents;
  }

  /** Its stores. */
  static OwnedTables tables(TopologyContext context) {
    OwnedTables own =
        OwnedTables.of(
                VolumeClaimsProcessor.NAME,
                context,
                VolumeClaimsRow.class,
                VolumeClaimsRow::new,
                VolumeClaimsRow::getRow)
            .with(ClaimTables.VOLUMES, VolumeCodec.VOLUME)
            .with(ClaimTables.CLAIMS, ClaimCodec.CLAIM)
            .with(ClaimTables.ATTACHMENTS, AttachmentCodec.ATTACHMENT)
            .with(ClaimTables.ALLOC_MEMORY, ClaimStoreCodecs.ALLOC_MEMORY)
            .with(ClaimTables.COUNTERS, ClaimStoreCodecs.COUNTERS)
            .kept(ClaimTables.WAKES, ClaimStoreCodecs.WAKE)
            .kept(ClaimTables.DUE, ClaimStoreCodecs.WAKE)
            .with(ClaimTables.BY_NODE, ClaimStoreCodecs.NODE_CLAIM)
            .with(ClaimTables.LISTINGS, ListingCodecs.VOLUME);
    return ClusterSubtopology.withCopy(own);
  }

  private static ProcessorSupplier<String, byte[], String, Object> supplier(
      TopologyContext context) {
    OwnedTables tables = tables(context);
    return new ProcessorSupplier<>() {
      @Override
      public Processor<String, byte[], String, Object> get() {
        return new VolumeClaimsProcessor(context, tables);
      }

      @Override
      public Set<StoreBuilder<?>> stores() {
        return tables.builders();
      }
    };
  }
}
