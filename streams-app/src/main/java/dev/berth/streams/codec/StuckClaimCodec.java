package dev.berth.streams.codec;

import dev.berth.records.StuckClaim;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.DeadLetter;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes dead letters and their resolutions. */
public final class StuckClaimCodec {
  private StuckClaimCodec() {}

  /**
   * Key of the records about a claim: {@code namespace/volume/alloc}. What is about no claim has
   * the provider's node id in the alloc's place, behind a mark that no alloc id begins with.
   */
  public static String key(DeadLetter letter) {
    String alloc = letter.alloc();
    return letter.key().of(alloc == null ? "@" + letter.node() : alloc);
  }

  /**
   * The dead letter of a claim.
   *
   * @param at when it was decided
   */
  public static StuckClaim stuck(ClaimsEffect.Stuck stuck, Instant at) {
    return about(stuck.letter(), at).setStep(stuck.step()).build();
  }

  /**
   * The record that ends the story of a stuck claim; a tombstone follows it.
   *
   * @param at when it was decided
   */
  public static StuckClaim resolved(ClaimsEffect.Resolved resolved, Instant at) {
    return about(resolved.letter(), at).setResolved(true).setResolution(resolved.how()).build();
  }

  /**
   * What would let a claim go on, for people; empty when nothing holds it.
   *
   * @param volume its volume; null when it is not known
   */
  public static String remedy(Claim claim, @Nullable Volume volume) {
    Hold hold = claim.hold();
    return hold == null ? "" : Remedy.of(DeadLetter.of(claim, volume, hold));
  }

  /** What would let go on what a dead letter is about, for people. */
  public static String remedy(DeadLetter letter) {
    return Remedy.of(letter);
  }

  private static StuckClaim.Builder about(DeadLetter letter, Instant at) {
    return StuckClaim.newBuilder()
        .setNamespace(letter.key().namespace())
        .setVolume(letter.key().volume())
        .setAlloc(Objects.requireNonNullElse(letter.alloc(), ""))
        .setNode(letter.node())
        .setPlugin(letter.plugin())
        .setExternalVolume(letter.externalVolume())
        .setExternalNode(letter.externalNode())
        .setState(letter.state())
        .setHold(HoldCodec.HOLD.encode().apply(letter.hold()))
        .setRemedy(Remedy.of(letter))
        .setAt(at);
  }
}
