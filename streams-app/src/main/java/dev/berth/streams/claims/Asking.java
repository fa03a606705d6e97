package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import dev.berth.records.ClaimState;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.work.Hold;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims as they come: new, repeated, made again while the old row is on its way out. */
final class Asking {
  /** What an answer is owed for, once the decision is made. */
  enum Heard {
    /** Nothing more: it was answered, or is not newer than what was heard before. */
    NOTHING,
    /** A claim that has a row of its own now. */
    NEW,
    /** A claim that is answered from the row it has. */
    REPEATED
  }

  private Asking() {}

  static Heard ask(VolumeDraft v, ClaimsEvent.Stated stated, ClaimAsk ask) {
    Claim claim = v.claim(stated.alloc());
    if (claim == null) {
      return askAnew(v, stated, ask);
    }
    if (!claim.ask().scheduler().equals(stated.scheduler())) {
      String message =
          "alloc id "
              + claim.alloc()
              + " has a claim of scheduler "
              + claim.ask().scheduler()
              + ": alloc ids are unique";
      Leaving.refuse(v, stated.alloc(), ask, RejectCode.INVALID, message);
      return Heard.NOTHING;
    }
    if (stated.index() < claim.index() && claim.live() && sameUse(ask, claim.ask())) {
      // Heard late or once more: who waits for the answer gets it, and nothing else changes.
      return Heard.REPEATED;
    }
    return stated.index() < claim.index() || repeatsEnded(stated, claim)
        ? Heard.NOTHING
        : askAgain(v, v.put(claim.edit().index(stated.index()).done()), ask);
  }

  /**
   * Whether this is the very claim that made a row which has ended since without a statement, with
   * its node for example: heard twice it is no new wish.
   */
  private static boolean repeatsEnded(ClaimsEvent.Stated stated, Claim claim) {
    return stated.index() == claim.index() && claim.ending() != null && claim.again() == null;
  }

  private static void refuse(
      VolumeDraft v, String alloc, ClaimAsk ask, Claim.@Nullable Rejection rejection) {
    if (rejection != null) {
      Leaving.refuse(v, alloc, ask, rejection.code(), rejection.message());
    }
  }

  private static Heard askAnew(VolumeDraft v, ClaimsEvent.Stated stated, ClaimAsk ask) {
    String alloc = stated.alloc();
    AllocMemory memory = AllocMemories.of(v, alloc, stated.scheduler());
    Claim.Rejection rejection = Taking.check(v, alloc, ask);
    if (memory != null && stated.index() <= memory.index()) {
      if (stated.index() < memory.index() && memory.fate() != AllocFate.RELEASED) {
        // The end overtook the claim: whoever waits for the answer to it gets one all the same.
        refuse(v, alloc, ask, rejection);
      }
      return Heard.NOTHING;
    }
    if (rejection != null) {
      refuse(v, alloc, ask, rejection);
      if (v.volume() != null) {
        AllocFate fate = memory == null ? AllocFate.RELEASED : memory.fate();
        AllocMemories.learnt(v, alloc, stated.scheduler(), stated.index(), fate);
      }
      return Heard.NOTHING;
    }
    if (memory != null && memory.uncleanNode() == null) {
      v.forget(alloc, stated.scheduler());
    }
    v.put(Claim.waiting(v.key(), alloc, ask, stated.index(), v.nextGeneration(), v.now()));
    Volume volume = v.claimable();
    if (volume != null) {
      // A claim attempt against a dead alloc's claim starts the release of that.
      Leaving.endIfRemembered(v, Taking.holder(v, volume, ask));
    }
    return Heard.NEW;
  }

  /**
   * The same claim again is answered from its row; one whose row is on its way out waits for a
   * fresh taking.
   */
  private static Heard askAgain(VolumeDraft v, Claim claim, ClaimAsk ask) {
    if (claim.ending() != null) {
      askAfresh(v, claim, ask);
      return Heard.NOTHING;
    }
    if (!sameUse(ask, claim.ask())) {
      String message =
          "alloc "
              + claim.alloc()
              + " has a claim to "
              + Spelled.of(claim.ask().mode())
              + " with "
              + Spelled.of(claim.ask().access())
              + " on node "
              + claim.node()
              + ": release it before claiming in another way";
      Leaving.refuse(v, claim.alloc(), ask, RejectCode.MODE, message);
      return Heard.NOTHING;
    }
    v.put(claim.edit().ask(claim.ask().repeated(ask.requestId())).done());
    return Heard.REPEATED;
  }

  private static void askAfresh(VolumeDraft v, Claim leaving, ClaimAsk ask) {
    AllocMemory memory = AllocMemories.of(v, leaving.alloc(), ask.scheduler());
    boolean gone = memory != null && memory.fate() == AllocFate.GONE;
    if (!gone && Leaving.over(leaving.client())) {
      Leaving.refuse(
          v,
          leaving.alloc(),
          ask,
          RejectCode.ALLOC_TERMINAL,
          "alloc " + leaving.alloc() + " has ended");
      return;
    }
    // Only capacity is waited for.
    Claim.Rejection rejection = Taking.check(v, leaving.alloc(), ask);
    if (rejection != null) {
      refuse(v, leaving.alloc(), ask, rejection);
      return;
    }
    ClaimAsk before = leaving.again();
    boolean replaces = before != null && !sameUse(before, ask);
    if (before != null && replaces) {
      Leaving.refuse(
          v,
          leaving.alloc(),
          before,
          RejectCode.MODE,
          "a later claim of alloc " + leaving.alloc() + " asks for the volume in another way");
    }
    // Asked once more, it keeps its place.
    ClaimAsk again =
        before == null || replaces
            ? ask.withGeneration(v.nextGeneration())
            : before.repeated(ask.requestId());
    Claim asked = v.put(leaving.edit().again(again).done());
    replyWaiting(v, asked.edit().ask(again).done(), asked);
  }

  private static boolean sameUse(ClaimAsk one, ClaimAsk other) {
    return one.mode() == other.mode()
        && one.access() == other.access()
        && one.attachment() == other.attachment()
        && one.node().equals(other.node());
  }

  /** Answers a claim that the decision has left waiting, or that was asked for again. */
  static void answer(VolumeDraft v, String alloc, Heard heard) {
    Claim claim = v.claim(alloc);
    if (heard == Heard.NOTHING || claim == null || claim.ending() != null) {
      return;
    }
    boolean repeated = heard == Heard.REPEATED;
    if (repeated && claim.granted()) {
      Attaching.replyGranted(v, claim, v.attachment(claim.node()));
    } else if (claim.state() == ClaimState.WAITING && claim.hold() == null) {
      Volume volume = v.claimable();
      replyWaiting(v, claim, volume == null ? null : Taking.holder(v, volume, claim.ask()));
    } else if (repeated) {
      replyHeld(v, claim);
    }
  }

  /** Tells the scheduler that a claim waits for capacity, and who has it. */
  private static void replyWaiting(VolumeDraft v, Claim claim, @Nullable Claim holder) {
    String message =
        holder == null
            ? "waits"
            : "held by alloc "
                + holder.alloc()
                + " on node "
                + holder.node()
                + " ("
                + holder.state()
                + ")";
    v.emit(
        new ClaimsEffect.Replied(
            v.key(),
            claim.alloc(),
            claim.ask(),
            claim.generation(),
            ReplyOutcome.WAITING,
            null,
            null,
            message,
            holder == null ? null : holder.alloc(),
            Map.of()));
    v.happened("waiting", claim, null, message);
  }

  private static void replyHeld(VolumeDraft v, Claim claim) {
    Hold hold = claim.hold();
    v.emit(
        new ClaimsEffect.Replied(
            v.key(),
            claim.alloc(),
            claim.ask(),
            claim.generation(),
            ReplyOutcome.WAITING,
            null,
            hold == null ? null : hold.code(),
            hold == null ? "is being attached" : hold.message(),
            null,
            Map.of()));
  }
}
