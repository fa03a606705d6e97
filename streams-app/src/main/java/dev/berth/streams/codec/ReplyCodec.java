package dev.berth.streams.codec;

import dev.berth.records.ClaimReply;
import dev.berth.streams.claims.ClaimsEffect;
import java.time.Instant;

/** Writes answers to claims. */
public final class ReplyCodec {
  private ReplyCodec() {}

  /**
   * The record of an answer.
   *
   * @param at when it was decided
   */
  public static ClaimReply reply(ClaimsEffect.Replied replied, Instant at) {
    return ClaimReply.newBuilder()
        .setRequestId(replied.ask().requestId())
        .setScheduler(replied.ask().scheduler())
        .setNamespace(replied.key().namespace())
        .setVolume(replied.key().volume())
        .setAlloc(replied.alloc())
        .setNode(replied.ask().node())
        .setClaimGeneration(replied.generation())
        .setOutcome(replied.outcome())
        .setCode(replied.code())
        .setHold(replied.hold())
        .setMessage(replied.message())
        .setHeldBy(replied.heldBy())
        .setPublishContext(replied.publishContext())
        .setAt(at)
        .build();
  }
}
