package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.streams.work.Hold;
import org.jspecify.annotations.Nullable;

/**
 * What an operator is told of something that does not go on by itself, and of its end.
 *
 * @param key volume
 * @param alloc alloc of the claim that is stuck; null for the detach of an attachment that no claim
 *     asked for
 * @param node node of the claim; the provider's node id where there is no claim
 * @param plugin plugin id
 * @param externalVolume the provider's volume id
 * @param externalNode the provider's node id; null while unknown
 * @param state where the claim is; NODE_DETACHED where there is none
 * @param live whether the claim is not on its way out
 * @param hold why it waits, or waited
 */
public record DeadLetter(
    VolumeKey key,
    @Nullable String alloc,
    String node,
    String plugin,
    String externalVolume,
    @Nullable String externalNode,
    ClaimState state,
    boolean live,
    Hold hold) {

  /**
   * About a claim that is held: on its terms, or those of its volume while it only waits.
   *
   * @param volume its volume; null when it is not known
   */
  public static DeadLetter of(Claim claim, @Nullable Volume volume, Hold hold) {
    ClaimTerms terms = claim.terms();
    String plugin = volume == null ? "" : volume.spec().plugin();
    String externalVolume = volume == null ? "" : volume.spec().externalId();
    return new DeadLetter(
        claim.key(),
        claim.alloc(),
        claim.node(),
        terms == null ? plugin : terms.plugin(),
        terms == null ? externalVolume : terms.externalVolume(),
        terms == null ? null : terms.externalNode(),
        claim.state(),
        claim.ending() == null,
        hold);
  }
}
