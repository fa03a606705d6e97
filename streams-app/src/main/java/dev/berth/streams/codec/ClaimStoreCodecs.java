package dev.berth.streams.codec;

import dev.berth.records.Due;
import dev.berth.records.VolumeCounters;
import dev.berth.streams.claims.AllocMemory;
import dev.berth.streams.claims.Counters;
import dev.berth.streams.claims.NodeClaim;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.Wake;

/** Codecs of what the claims' stores keep beside volumes, claims and attachments. */
public final class ClaimStoreCodecs {
  /** A row of {@code ClaimTables.ALLOC_MEMORY}. */
  public static final Codec<AllocMemory, dev.berth.records.AllocMemory> ALLOC_MEMORY =
      new Codec<>(
          AllocMemory.class,
          dev.berth.records.AllocMemory.class,
          ClaimStoreCodecs::encodeMemory,
          ClaimStoreCodecs::decodeMemory);

  /** A row of {@code ClaimTables.COUNTERS}. */
  public static final Codec<Counters, VolumeCounters> COUNTERS =
      new Codec<>(
          Counters.class,
          VolumeCounters.class,
          counters -> new VolumeCounters(counters.nextGeneration(), counters.nextRequest()),
          row -> new Counters(row.getNextGeneration(), row.getNextRequest()));

  /** A row of {@code ClaimTables.WAKES} and {@code ClaimTables.DUE}. */
  public static final Codec<Wake, Due> WAKE =
      new Codec<>(
          Wake.class,
          Due.class,
          wake -> new Due(wake.subject(), wake.at()),
          row -> new Wake(row.getSubject(), row.getAt()));

  /** A row of {@code ClaimTables.BY_NODE}. */
  public static final Codec<NodeClaim, dev.berth.records.NodeClaim> NODE_CLAIM =
      new Codec<>(
          NodeClaim.class,
          dev.berth.records.NodeClaim.class,
          ClaimStoreCodecs::encodeNodeClaim,
          ClaimStoreCodecs::decodeNodeClaim);

  private ClaimStoreCodecs() {}

  private static dev.berth.records.AllocMemory encodeMemory(AllocMemory memory) {
    return dev.berth.records.AllocMemory.newBuilder()
        .setNamespace(memory.key().namespace())
        .setVolume(memory.key().volume())
        .setAlloc(memory.alloc())
        .setScheduler(memory.scheduler())
        .setIndex(memory.index())
        .setFate(memory.fate())
        .setUncleanNode(memory.uncleanNode())
        .setAt(memory.at())
        .build();
  }

  private static AllocMemory decodeMemory(dev.berth.records.AllocMemory row) {
    return new AllocMemory(
        new VolumeKey(row.getNamespace(), row.getVolume()),
        row.getAlloc(),
        row.getScheduler(),
        row.getIndex(),
        row.getFate(),
        row.getUncleanNode().orElse(null),
        row.getAt());
  }

  private static dev.berth.records.NodeClaim encodeNodeClaim(NodeClaim claim) {
    return new dev.berth.records.NodeClaim(
        claim.key().namespace(), claim.key().volume(), claim.alloc());
  }

  private static NodeClaim decodeNodeClaim(dev.berth.records.NodeClaim row) {
    return new NodeClaim(new VolumeKey(row.getNamespace(), row.getVolume()), row.getAlloc());
  }
}
