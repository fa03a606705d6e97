package dev.berth.streams.claims;

import dev.berth.streams.kernel.Digits;
import dev.berth.streams.kernel.Table;
import java.time.Instant;
import java.util.List;

/** The tables of the claims. Their names are those of the stores and never change. */
public final class ClaimTables {
  /** Volumes by namespace/volume. */
  public static final Table<Volume> VOLUMES = new Table<>("volumes", Volume.class);

  /** Claims by namespace/volume/alloc. */
  public static final Table<Claim> CLAIMS = new Table<>("claims", Claim.class);

  /** Attachments by namespace/volume/node. */
  public static final Table<Attachment> ATTACHMENTS = new Table<>("attachments", Attachment.class);

  /** Allocs without a claim that are remembered, by namespace/volume/alloc/scheduler. */
  public static final Table<AllocMemory> ALLOC_MEMORY =
      new Table<>("alloc-memory", AllocMemory.class);

  /** Numbers given out, by namespace/volume. */
  public static final Table<Counters> COUNTERS = new Table<>("volume-counters", Counters.class);

  /** When each volume is to be looked at again, by namespace/volume. */
  public static final Table<Wake> WAKES = new Table<>("volume-wakes", Wake.class);

  /** The same by time: {@link #dueKey}. */
  public static final Table<Wake> DUE = new Table<>("volumes-due", Wake.class);

  /** Claims by node: node/namespace/volume/alloc. */
  public static final Table<NodeClaim> BY_NODE = new Table<>("claims-by-node", NodeClaim.class);

  /** What listings say of volumes, by namespace/volume. */
  public static final Table<VolumeListing> LISTINGS =
      new Table<>("volume-listings", VolumeListing.class);

  /** Every table, for making the stores. */
  public static final List<Table<?>> ALL =
      List.of(VOLUMES, CLAIMS, ATTACHMENTS, ALLOC_MEMORY, COUNTERS, WAKES, DUE, BY_NODE, LISTINGS);

  private ClaimTables() {}

  /** Key in {@link #DUE}: sorts by time, then by volume. */
  public static String dueKey(Instant at, String subject) {
    return duePrefix(at) + subject;
  }

  /** Prefix of the keys in {@link #DUE} of one millisecond. */
  public static String duePrefix(Instant at) {
    return Digits.of(at.toEpochMilli(), 15) + "/";
  }
}
