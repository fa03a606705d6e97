package dev.berth.streams.work;

import dev.berth.records.CsiCall;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the lanes answer to a request.
 *
 * @param requestId request it answers
 * @param volumeKey namespace/volume
 * @param plugin plugin id
 * @param externalNode the provider's node id that the request's controller calls carry; null while
 *     none is known
 * @param at when it was decided
 * @param body the answer
 */
public record Settlement(
    String requestId,
    String volumeKey,
    String plugin,
    @Nullable String externalNode,
    Instant at,
    Body body) {

  /**
   * Whether what was listed of the volume before it proves nothing any more: claims and lanes both
   * forget it then, and the claims are told again. A wait in which no call was made changes nothing
   * at the provider.
   *
   * @param call the call of the request
   */
  public boolean outdatesListings(CsiCall call) {
    boolean onlyWaits =
        body instanceof Held held && held.hold().rpcCode() == null && !held.mayHaveEffect();
    return Call.toController(call) && !(body instanceof Accepted) && !onlyWaits;
  }

  /** The answer. */
  public sealed interface Body {}

  /** The call is in its lane and has the slot it takes. */
  public record Accepted() implements Body {}

  /**
   * No free attach slot; the call was not taken.
   *
   * @param maxVolumes most volumes of the node (count)
   * @param inUse attachments counted there (count)
   */
  public record SlotRefused(long maxVolumes, long inUse) implements Body {}

  /**
   * The call is done.
   *
   * @param code OK, or NOT_FOUND where that counts as done
   * @param readOnly an attach: whether the call that was answered carried the read-only flag
   * @param publishContext publish_context of an attach; empty otherwise
   * @param mayHaveEffect whether some attempt had its effect, or may have had it: also of an attach
   *     that in the end had nothing to call
   */
  public record Done(
      RpcCode code, boolean readOnly, Map<String, String> publishContext, boolean mayHaveEffect)
      implements Body {
    /** Keeps a copy. */
    public Done {
      publishContext = Map.copyOf(publishContext);
    }

    /** A call of which the last attempt alone can have had an effect. */
    public Done(RpcCode code, boolean readOnly, Map<String, String> publishContext) {
      this(code, readOnly, publishContext, code == RpcCode.OK);
    }
  }

  /**
   * The call failed for good.
   *
   * @param code code of the last answer
   * @param message the plugin's words, redacted
   * @param reject why the claim is to be rejected
   * @param mayHaveEffect whether the effect may exist, so that a compensating call is owed
   */
  public record Failed(RpcCode code, String message, RejectCode reject, boolean mayHaveEffect)
      implements Body {}

  /**
   * An attempt failed or could not be made; the call stays.
   *
   * @param hold as the claim should show it
   * @param mayHaveEffect whether some attempt may have had its effect
   */
  public record Held(Hold hold, boolean mayHaveEffect) implements Body {}

  /**
   * The call was withdrawn before it was done.
   *
   * @param mayHaveEffect whether some attempt may have had its effect
   */
  public record Withdrawn(boolean mayHaveEffect) implements Body {}

  /**
   * The external id belongs to the volume.
   *
   * @param externalVolume the provider's volume id
   */
  public record ExternalIdReserved(String externalVolume) implements Body {}

  /**
   * The external id belongs to another volume.
   *
   * @param externalVolume the provider's volume id
   * @param holder namespace/volume that has it
   */
  public record ExternalIdTaken(String externalVolume, String holder) implements Body {}

  /**
   * Where two complete listings in a row say that the volume is published. Answers no request.
   *
   * @param inEither the provider's node ids in one of them or in both, in order: where it is not in
   *     these it is not published
   * @param inBoth those in both, in order: there it is published
   * @param since when the earlier listing began: after the last controller call for the volume
   */
  public record Listed(List<String> inEither, List<String> inBoth, Instant since) implements Body {
    /** Keeps copies. */
    public Listed {
      inEither = List.copyOf(inEither);
      inBoth = List.copyOf(inBoth);
    }
  }
}
