package dev.berth.producers;

import dev.berth.records.Claim;
import dev.berth.records.ReclaimAsk;
import dev.berth.schemas.topics.Keys;
import java.time.Instant;

/**
 * What a reconciliation keeps of a row of the claim table.
 *
 * @param generation number of the taking that was seen
 * @param index highest number of the alloc's statements that Berth had seen
 * @param settled whether it is on its way out and nothing waits behind it: a statement that its
 *     alloc is gone would change nothing
 * @param askedAt when it was claimed; when it was claimed again, where that waits behind it
 */
record SeenClaim(
    String scheduler,
    String namespace,
    String volume,
    String alloc,
    long generation,
    long index,
    boolean settled,
    Instant askedAt) {

  static SeenClaim of(Claim claim) {
    return new SeenClaim(
        claim.getScheduler(),
        claim.getNamespace(),
        claim.getVolume(),
        claim.getAlloc(),
        claim.getGeneration(),
        claim.getIndex(),
        // A claim made again behind its leaving row would be taken for an alloc that is gone.
        claim.getEndedAt().isPresent() && claim.getAgain().isEmpty(),
        claim.getAgain().map(ReclaimAsk::getAt).orElseGet(claim::getClaimedAt));
  }

  String key() {
    return Keys.claim(namespace, volume, alloc);
  }
}
