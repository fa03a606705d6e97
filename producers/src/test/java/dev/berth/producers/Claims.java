package dev.berth.producers;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.Claim;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.records.JobType;
import dev.berth.records.ReclaimAsk;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.serde.AvroSerde;
import java.time.Instant;
import java.util.Map;

/** Rows of the claim table. */
final class Claims {

  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  static {
    // Avro's builders look up the classes of default values, once somebody vouches for them.
    AvroSerde.of(Registry.connect(Map.of(RegistryConfig.URL, "mock://claims")), Claim.class);
  }

  private Claims() {}

  /** A live claim on volume {@code default/<volume>}. */
  static Claim live(String scheduler, String volume, String alloc, long generation, long index) {
    return live(scheduler, "default", volume, alloc, generation, index);
  }

  static Claim live(
      String scheduler,
      String namespace,
      String volume,
      String alloc,
      long generation,
      long index) {
    return Claim.newBuilder()
        .setNamespace(namespace)
        .setVolume(volume)
        .setAlloc(alloc)
        .setScheduler(scheduler)
        .setNode("n1")
        .setGeneration(generation)
        .setIndex(index)
        .setRequestId("r-" + alloc)
        .setMode(ClaimMode.WRITE)
        .setAccess(AccessMode.SINGLE_NODE_WRITER)
        .setAttachment(AttachmentMode.FILE_SYSTEM)
        .setState(ClaimState.TAKEN)
        .setClaimedAt(AT)
        .setStateSince(AT)
        .build();
  }

  /** The same claim on its way out. */
  static Claim unpublishing(Claim claim) {
    return Claim.newBuilder(claim)
        .setState(ClaimState.UNPUBLISHING)
        .setEndedAt(AT)
        .setEndCause(EndCause.ALLOC_TERMINAL)
        .build();
  }

  /** The same claim with a newer one by the same alloc behind it. */
  static Claim askedAgain(Claim claim) {
    ReclaimAsk ask =
        ReclaimAsk.newBuilder()
            .setRequestId("again")
            .setNode("n1")
            .setJobType(JobType.SERVICE)
            .setMode(ClaimMode.WRITE)
            .setAccess(AccessMode.SINGLE_NODE_WRITER)
            .setAttachment(AttachmentMode.FILE_SYSTEM)
            .setAt(AT)
            .build();
    return Claim.newBuilder(claim).setAgain(ask).build();
  }
}
