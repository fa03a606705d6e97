package dev.berth.streams.codec;

import dev.berth.records.CallAccepted;
import dev.berth.records.CallDone;
import dev.berth.records.CallFailed;
import dev.berth.records.CallHeld;
import dev.berth.records.CallWithdrawn;
import dev.berth.records.ExternalIdReserved;
import dev.berth.records.ExternalIdTaken;
import dev.berth.records.SlotRefused;
import dev.berth.records.VolumeListed;
import dev.berth.streams.work.Settlement;

/** Codec of what the lanes answer. */
public final class SettlementCodec {
  /** A record of settlements. */
  public static final Codec<Settlement, dev.berth.records.Settlement> SETTLEMENT =
      new Codec<>(
          Settlement.class,
          dev.berth.records.Settlement.class,
          SettlementCodec::encode,
          SettlementCodec::decode);

  private SettlementCodec() {}

  private static dev.berth.records.Settlement encode(Settlement settlement) {
    return new dev.berth.records.Settlement(
        settlement.requestId(),
        settlement.volumeKey(),
        settlement.plugin(),
        settlement.externalNode(),
        settlement.at(),
        encode(settlement.body()));
  }

  private static Object encode(Settlement.Body body) {
    if (body instanceof Settlement.Accepted) {
      return new CallAccepted();
    } else if (body instanceof Settlement.SlotRefused full) {
      return new SlotRefused(full.maxVolumes(), full.inUse());
    } else if (body instanceof Settlement.Done done) {
      return new CallDone(
          done.code(), done.publishContext(), done.readOnly(), done.mayHaveEffect());
    } else if (body instanceof Settlement.Failed failed) {
      return new CallFailed(
          failed.code(), failed.message(), failed.reject(), failed.mayHaveEffect());
    } else if (body instanceof Settlement.Held held) {
      return new CallHeld(HoldCodec.HOLD.encode().apply(held.hold()), held.mayHaveEffect());
    } else if (body instanceof Settlement.Withdrawn withdrawn) {
      return new CallWithdrawn(withdrawn.mayHaveEffect());
    } else if (body instanceof Settlement.ExternalIdReserved reserved) {
      return new ExternalIdReserved(reserved.externalVolume());
    }
    if (body instanceof Settlement.Listed listed) {
      boolean equal = listed.inBoth().equals(listed.inEither());
      return new VolumeListed(listed.inEither(), listed.since(), equal ? null : listed.inBoth());
    }
    Settlement.ExternalIdTaken taken = (Settlement.ExternalIdTaken) body;
    return new ExternalIdTaken(taken.externalVolume(), taken.holder());
  }

  private static Settlement decode(dev.berth.records.Settlement settlement) {
    return new Settlement(
        settlement.getRequestId(),
        settlement.getVolumeKey(),
        settlement.getPlugin(),
        settlement.getExternalNode().orElse(null),
        settlement.getAt(),
        body(settlement.getBody()));
  }

  private static Settlement.Body body(Object body) {
    if (body instanceof CallAccepted) {
      return new Settlement.Accepted();
    } else if (body instanceof SlotRefused full) {
      return new Settlement.SlotRefused(full.getMaxVolumes(), full.getInUse());
    } else if (body instanceof CallDone done) {
      return new Settlement.Done(
          done.getCode(), done.getReadOnly(), done.getPublishContext(), done.getMayHaveEffect());
    } else if (body instanceof CallFailed failed) {
      return new Settlement.Failed(
          failed.getCode(), failed.getMessage(), failed.getReject(), failed.getMayHaveEffect());
    } else if (body instanceof CallHeld held) {
      return new Settlement.Held(
          HoldCodec.HOLD.decode().apply(held.getHold()), held.getMayHaveEffect());
    } else if (body instanceof CallWithdrawn withdrawn) {
      return new Settlement.Withdrawn(withdrawn.getMayHaveEffect());
    } else if (body instanceof ExternalIdReserved reserved) {
      return new Settlement.ExternalIdReserved(reserved.getExternalVolume());
    } else if (body instanceof ExternalIdTaken taken) {
      return new Settlement.ExternalIdTaken(taken.getExternalVolume(), taken.getHolder());
    } else if (body instanceof VolumeListed listed) {
      return new Settlement.Listed(
          listed.getNodes(), listed.getInBoth().orElse(listed.getNodes()), listed.getSince());
    }
    throw new IllegalArgumentException(
        "a settlement with the body " + body.getClass().getSimpleName());
  }
}
