package dev.berth.streams.codec;

import dev.berth.streams.work.Hold;

/** Codec of holds, as claims and settlements carry them. */
public final class HoldCodec {
  /** A hold. */
  public static final Codec<Hold, dev.berth.records.Hold> HOLD =
      new Codec<>(Hold.class, dev.berth.records.Hold.class, HoldCodec::encode, HoldCodec::decode);

  private HoldCodec() {}

  private static dev.berth.records.Hold encode(Hold hold) {
    return dev.berth.records.Hold.newBuilder()
        .setCode(hold.code())
        .setMessage(hold.message())
        .setRpcCode(hold.rpcCode())
        .setAttempts(hold.attempts())
        .setFirstFailure(hold.firstFailure())
        .setLastFailure(hold.lastFailure())
        .setNextRetry(hold.nextRetry())
        .setStuck(hold.stuck())
        .build();
  }

  private static Hold decode(dev.berth.records.Hold hold) {
    return new Hold(
        hold.getCode(),
        hold.getMessage(),
        hold.getRpcCode().orElse(null),
        hold.getAttempts(),
        hold.getFirstFailure(),
        hold.getLastFailure(),
        hold.getNextRetry().orElse(null),
        hold.getStuck());
  }
}
