package dev.berth.streams.codec;

import dev.berth.records.StuckClaim;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.Objects;

/** Writes dead letters and their resolutions. */
public final class StuckClaimCodec {
  private StuckClaimCodec() {}

  /** Key of the records about a claim: {@code namespace/volume/alloc}. */
  public static String key(Claim claim) {
    return claim.key().of(claim.alloc());
  }

  /**
   * The dead letter of a claim.
   *
   * @param at when it was decided
   */
  public static StuckClaim stuck(ClaimsEffect.Stuck stuck, Instant at) {
    return about(stuck.claim(), at).setStep(stuck.step()).build();
  }

  /**
   * The record that ends the story of a stuck claim; a tombstone follows it.
   *
   * @param at when it was decided
   */
  public static StuckClaim resolved(ClaimsEffect.Resolved resolved, Instant at) {
    return about(resolved.claim(), at).setResolved(true).setResolution(resolved.how()).build();
  }

  /** What would let a claim go on, for people; empty when nothing holds it. */
  public static String remedy(Claim claim) {
    Hold hold = claim.hold();
    ClaimTerms terms = claim.terms();
    return hold == null || terms == null ? "" : Remedy.of(claim, terms, hold.code());
  }

  private static StuckClaim.Builder about(Claim claim, Instant at) {
    Hold hold = Objects.requireNonNull(claim.hold(), "a stuck claim has a hold");
    ClaimTerms terms = Objects.requireNonNull(claim.terms(), "a stuck claim has its terms");
    return StuckClaim.newBuilder()
        .setNamespace(claim.key().namespace())
        .setVolume(claim.key().volume())
        .setAlloc(claim.alloc())
        .setNode(claim.node())
        .setPlugin(terms.plugin())
        .setExternalVolume(terms.externalVolume())
        .setExternalNode(terms.externalNode())
        .setState(claim.state())
        .setHold(HoldCodec.HOLD.encode().apply(hold))
        .setRemedy(Remedy.of(claim, terms, hold.code()))
        .setAt(at);
  }
}
