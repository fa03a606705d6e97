package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls from rows: what a call carries comes from the claim's terms, whatever the records say
 * today.
 */
final class Calls {
  private Calls() {}

  /** A call for one claim: its own attach, NodePublishVolume or NodeUnpublishVolume. */
  static Call forClaim(VolumeDraft v, Claim claim, CsiCall rpc) {
    return call(v, claim, rpc, claim.alloc(), v.attachment(claim.node()));
  }

  /** A call for the attachment as a whole, on the terms of one of its claims. */
  static Call forAttachment(VolumeDraft v, Claim claim, CsiCall rpc) {
    return call(v, claim, rpc, null, v.attachment(claim.node()));
  }

  /** Asks for a call on a claim's terms, which makes nothing that needs a slot. */
  static LaneRequest.Enqueue enqueue(Claim claim, Call call) {
    return enqueue(claim, call, false, false, null);
  }

  /**
   * Asks for a call on a claim's terms.
   *
   * @param takesSlot whether it makes a new attachment
   * @param restores whether it makes one again
   * @param goesOn hold of a call in whose place it is asked for; null when its step begins
   */
  static LaneRequest.Enqueue enqueue(
      Claim claim, Call call, boolean takesSlot, boolean restores, @Nullable Hold goesOn) {
    return new LaneRequest.Enqueue(call, takesSlot, restores, goesOn, claim.ask().scheduler());
  }

  /** Whether it is a call of the way in, which the end of what it is for takes back. */
  static boolean wayIn(@Nullable CsiCall call) {
    return call == CsiCall.CONTROLLER_PUBLISH
        || call == CsiCall.NODE_STAGE
        || call == CsiCall.NODE_PUBLISH;
  }

  private static Call call(
      VolumeDraft v,
      Claim claim,
      CsiCall rpc,
      @Nullable String alloc,
      @Nullable Attachment attachment) {
    ClaimTerms terms = claim.taken();
    boolean controller = Call.toController(rpc);
    return new Call(
        rpc,
        v.key().namespace(),
        v.key().volume(),
        alloc,
        claim.node(),
        terms.externalVolume(),
        controller ? terms.externalNode() : null,
        claim.ask().access(),
        claim.ask().attachment(),
        !claim.ask().writes(),
        terms.fsType(),
        terms.mountFlags(),
        terms.context(),
        controller ? Map.of() : claim.contextWith(attachment),
        terms.secrets());
  }
}
