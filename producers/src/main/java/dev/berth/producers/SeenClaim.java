package dev.berth.producers;

import dev.berth.records.Claim;
import dev.berth.schemas.topics.Keys;

/**
 * What a reconciliation keeps of a row of the claim table.
 *
 * @param generation number of the taking that was seen
 * @param index highest number of the alloc's statements that Berth had seen
 * @param settled whether it is on its way out and nothing waits behind it: a statement that its
 *     alloc is gone would change nothing
 */
record SeenClaim(
    String scheduler,
    String namespace,
    String volume,
    String alloc,
    long generation,
    long index,
    boolean settled) {

  static SeenClaim of(Claim claim) {
    return new SeenClaim(
        claim.getScheduler(),
        claim.getNamespace(),
        claim.getVolume(),
        claim.getAlloc(),
        claim.getGeneration(),
        claim.getIndex(),
        // A claim made again behind its leaving row would be taken for an alloc that is gone.
        claim.getEndedAt().isPresent() && claim.getAgain().isEmpty());
  }

  String key() {
    return Keys.claim(namespace, volume, alloc);
  }
}
