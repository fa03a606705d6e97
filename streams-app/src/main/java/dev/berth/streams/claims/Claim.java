package dev.berth.streams.claims;

import dev.berth.records.ClaimState;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.streams.work.Hold;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One alloc's right to one volume: the row of the claim table.
 *
 * <pre>
 * WAITING ─► RESERVING ─► TAKEN ─► UNPUBLISHING ─► NODE_DETACHED ─► (CONTROLLER_DETACHED, removed)
 * </pre>
 *
 * RESERVING has asked for an attach slot: it counts for capacity, its attach may already run, and
 * it is shown as waiting until the slot is promised.
 *
 * @param key volume
 * @param alloc alloc id
 * @param ask what the alloc asked for
 * @param generation number of this taking within the volume
 * @param index highest index of the alloc's statements seen
 * @param client client status last reported
 * @param desired desired status last reported
 * @param state where it is
 * @param stateSince when that began
 * @param granted whether the alloc was told that it has the volume
 * @param ending when and why it ended; null while live
 * @param terms what it was taken with; null while waiting
 * @param attachmentGeneration attachment whose attach serves it; null while none does
 * @param nodeStep what is known of the mount on the node
 * @param unmountError the client's last unmount error; null when none
 * @param nodePublishAsked whether a node worker was asked to publish it
 * @param request lane request that works for this claim alone; null when none
 * @param requestCall call of that request; null when none
 * @param withdrawing whether that request is being taken back
 * @param publishContext publish_context of its own ControllerPublish, which may be empty; null when
 *     it shares the attachment's
 * @param hold why the next step waits; null when nothing is held
 * @param letter dead letter about it that is open, of the present hold or an earlier budget of it;
 *     null when none is
 * @param rejected why it was rejected, while the undoing is owed; null otherwise
 * @param again a newer claim by the same alloc; null when none
 * @param heldBy claim that holds the volume while this one waits for capacity; null otherwise
 * @param setAside hold of a call of it that was taken back so that the attachment is made again
 *     first: its budget goes on when the call is asked for anew; null when there is none
 */
public record Claim(
    VolumeKey key,
    String alloc,
    ClaimAsk ask,
    long generation,
    long index,
    ClientStatus client,
    DesiredStatus desired,
    ClaimState state,
    Instant stateSince,
    boolean granted,
    @Nullable Ending ending,
    @Nullable ClaimTerms terms,
    @Nullable Long attachmentGeneration,
    NodeStep nodeStep,
    @Nullable String unmountError,
    boolean nodePublishAsked,
    @Nullable String request,
    @Nullable CsiCall requestCall,
    boolean withdrawing,
    @Nullable Map<String, String> publishContext,
    @Nullable Hold hold,
    @Nullable Letter letter,
    @Nullable Rejection rejected,
    @Nullable ClaimAsk again,
    @Nullable Holder heldBy,
    @Nullable Hold setAside) {

  /**
   * When and why a claim ended.
   *
   * @param at when its release began
   * @param cause why
   */
  public record Ending(Instant at, EndCause cause) {}

  /**
   * A claim that another one waits for.
   *
   * @param alloc its alloc
   * @param node its node (scheduler's id)
   */
  public record Holder(String alloc, String node) {
    static @Nullable Holder of(@Nullable Claim claim) {
      return claim == null ? null : new Holder(claim.alloc(), claim.node());
    }
  }

  /**
   * Why a claim was rejected.
   *
   * @param code code for the scheduler
   * @param message words for people
   */
  public record Rejection(RejectCode code, String message) {}

  /** Keeps a copy; a row that is not waiting has its terms, and a row on its way out says why. */
  public Claim {
    publishContext = publishContext == null ? null : Map.copyOf(publishContext);
    if (state != ClaimState.WAITING && terms == null) {
      throw new IllegalArgumentException(
          "claim " + key.of(alloc) + " is " + state + " without terms");
    }
    if ((state.compareTo(ClaimState.TAKEN) > 0) != (ending != null)) {
      throw new IllegalArgumentException(
          "claim " + key.of(alloc) + " is " + state + " with ending " + ending);
    }
  }

  /** A claim that has just been asked for and has nothing yet. */
  static Claim waiting(
      VolumeKey key, String alloc, ClaimAsk ask, long index, long generation, Instant now) {
    return new Claim(
        key,
        alloc,
        ask,
        generation,
        index,
        ClientStatus.PENDING,
        DesiredStatus.RUN,
        ClaimState.WAITING,
        now,
        false,
        null,
        null,
        null,
        NodeStep.OPEN,
        null,
        false,
        null,
        null,
        false,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Node of the alloc. */
  public String node() {
    return ask.node();
  }

  /** Whether it counts for capacity: every row that is not waiting, also on its way out. */
  public boolean counts() {
    return state != ClaimState.WAITING;
  }

  /** Whether it has the volume, or is about to, and is not on its way out. */
  public boolean live() {
    return state == ClaimState.RESERVING || state == ClaimState.TAKEN;
  }

  /** Whether the attach of its own that it had went at the provider, and has to be made again. */
  boolean toAttachAgain() {
    return granted && live() && attachmentGeneration == null;
  }

  /**
   * The publish_context that it is told and mounted with: its own, be it empty, else the
   * attachment's.
   *
   * @param attachment attachment on its node; null when there is none
   */
  Map<String, String> contextWith(@Nullable Attachment attachment) {
    if (publishContext != null) {
      return publishContext;
    }
    return attachment == null ? Map.of() : attachment.publishContext();
  }

  /** Whether an operator was told that it is stuck. */
  public boolean stuck() {
    return hold != null && hold.stuck();
  }

  /** Whether a dead letter about it is open. */
  public boolean reported() {
    return letter != null;
  }

  /** Its terms. Only for rows that are not waiting. */
  ClaimTerms taken() {
    if (terms == null) {
      throw new IllegalStateException("claim " + key.of(alloc) + " waits and has no terms");
    }
    return terms;
  }

  /** Starts a changed copy. */
  ClaimEdit edit() {
    return new ClaimEdit(this);
  }
}
