package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.records.Staging;
import dev.berth.streams.work.Hold;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What schedulers say of their allocs. A statement that is not newer than the last one heard
 * changes nothing.
 */
final class Statements {
  private Statements() {}

  static void handle(VolumeDraft v, ClaimsEvent.Stated stated) {
    Claim claim = v.claim(stated.alloc());
    if (stated.body() instanceof ClaimsEvent.Asked asked) {
      ask(v, stated, asked.ask(), claim);
    } else if (claim == null) {
      remember(v, stated);
    } else if (claim.ask().scheduler().equals(stated.scheduler())
        && stated.index() > claim.index()) {
      tell(v, stated, v.put(claim.edit().index(stated.index()).done()));
    }
  }

  // ---- claims

  private static void ask(
      VolumeDraft v, ClaimsEvent.Stated stated, ClaimAsk ask, @Nullable Claim claim) {
    if (claim == null) {
      askAnew(v, stated, ask);
    } else if (!claim.ask().scheduler().equals(stated.scheduler())) {
      String message =
          "alloc id "
              + claim.alloc()
              + " has a claim of scheduler "
              + claim.ask().scheduler()
              + ": alloc ids are unique";
      refuse(v, stated.alloc(), ask, RejectCode.INVALID, message);
    } else if (stated.index() >= claim.index()) {
      askAgain(v, stated.index(), ask, claim);
    }
  }

  private static void askAnew(VolumeDraft v, ClaimsEvent.Stated stated, ClaimAsk ask) {
    AllocMemory memory = v.memory(stated.alloc());
    if (memory != null && stated.index() <= memory.index()) {
      return;
    }
    Claim.Rejection rejection = Taking.check(v, stated.alloc(), ask);
    if (rejection != null) {
      refuse(v, stated.alloc(), ask, rejection.code(), rejection.message());
      if (memory == null && v.volume() != null) {
        v.remember(
            new AllocMemory(
                v.key(),
                stated.alloc(),
                stated.scheduler(),
                stated.index(),
                AllocFate.RELEASED,
                v.now()));
      }
      return;
    }
    v.forget(stated.alloc());
    v.put(Claim.waiting(v.key(), stated.alloc(), ask, stated.index(), v.nextGeneration(), v.now()));
  }

  private static void refuse(
      VolumeDraft v, String alloc, ClaimAsk ask, RejectCode code, String message) {
    v.emit(
        new ClaimsEffect.Replied(
            v.key(), alloc, ask, 0, ReplyOutcome.REJECTED, code, null, message, null, Map.of()));
    v.emit(new ClaimsEffect.Happened("rejected", alloc, ask.node(), code.name(), message));
  }

  /**
   * The same claim again is answered from its row; one whose row is on its way out waits for a
   * fresh taking.
   */
  private static void askAgain(VolumeDraft v, long index, ClaimAsk ask, Claim claim) {
    if (claim.ending() != null && ended(v, claim)) {
      refuse(
          v,
          claim.alloc(),
          ask,
          RejectCode.ALLOC_TERMINAL,
          "alloc " + claim.alloc() + " has ended");
    } else if (claim.ending() != null) {
      Claim asked = v.put(claim.edit().index(index).again(ask).done());
      Taking.replyWaiting(v, asked.edit().ask(ask).done(), asked);
    } else if (!sameUse(ask, claim.ask())) {
      String message =
          "alloc "
              + claim.alloc()
              + " has a claim for "
              + claim.ask().mode()
              + " with "
              + claim.ask().access()
              + " on node "
              + claim.node()
              + ": release it before claiming in another way";
      refuse(v, claim.alloc(), ask, RejectCode.MODE, message);
    } else {
      v.put(claim.edit().ask(claim.ask().repeated(ask.requestId())).index(index).done());
    }
  }

  private static boolean ended(VolumeDraft v, Claim claim) {
    AllocMemory memory = v.memory(claim.alloc());
    return Releasing.over(claim.client()) || (memory != null && memory.fate() == AllocFate.GONE);
  }

  private static boolean sameUse(ClaimAsk one, ClaimAsk other) {
    return one.mode() == other.mode()
        && one.access() == other.access()
        && one.attachment() == other.attachment()
        && one.node().equals(other.node());
  }

  /** Answers a claim that the decision has left waiting, or that was asked for again. */
  static void answer(VolumeDraft v, ClaimsEvent.Stated stated, boolean repeated) {
    Claim claim = v.claim(stated.alloc());
    if (claim == null
        || claim.ending() != null
        || !claim.ask().scheduler().equals(stated.scheduler())) {
      return;
    }
    Volume volume = v.claimable();
    if (claim.state() == ClaimState.WAITING) {
      Taking.replyWaiting(v, claim, volume == null ? null : Taking.holder(v, volume, claim.ask()));
    } else if (repeated && claim.granted()) {
      Attaching.replyGranted(v, claim, v.attachment(claim.node()));
    } else if (repeated) {
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

  // ---- what happens to the alloc

  private static void remember(VolumeDraft v, ClaimsEvent.Stated stated) {
    AllocFate fate = null;
    if (stated.body() instanceof ClaimsEvent.Gone) {
      fate = AllocFate.GONE;
    } else if (stated.body() instanceof ClaimsEvent.StatusChanged status
        && Releasing.over(status.client())) {
      fate = AllocFate.TERMINAL;
    }
    AllocMemory memory = v.memory(stated.alloc());
    boolean news =
        memory == null || (stated.index() > memory.index() && memory.fate() != AllocFate.GONE);
    if (fate != null && news) {
      v.remember(
          new AllocMemory(
              v.key(), stated.alloc(), stated.scheduler(), stated.index(), fate, v.now()));
    }
  }

  private static void tell(VolumeDraft v, ClaimsEvent.Stated stated, Claim claim) {
    if (stated.body() instanceof ClaimsEvent.StatusChanged status) {
      Claim told = v.put(claim.edit().status(status.client(), status.desired()).done());
      if (Releasing.over(status.client())) {
        dropAgain(v, told);
      }
    } else if (stated.body() instanceof ClaimsEvent.Gone gone
        && concerns(gone.claimGeneration(), claim)) {
      v.remember(
          new AllocMemory(
              v.key(), claim.alloc(), stated.scheduler(), stated.index(), AllocFate.GONE, v.now()));
      Claim told = dropAgain(v, claim);
      if (told.ending() == null) {
        Releasing.end(v, told, EndCause.ALLOC_GONE);
      }
    } else if (stated.body() instanceof ClaimsEvent.Unmounted unmounted
        && concerns(unmounted.claimGeneration(), claim)) {
      unmounted(v, claim);
    } else if (stated.body() instanceof ClaimsEvent.UnmountFailed failed
        && concerns(failed.claimGeneration(), claim)) {
      unmountFailed(v, claim, failed.error());
    }
  }

  /** A statement about an earlier generation says nothing of the present claim. */
  private static boolean concerns(@Nullable Long generation, Claim claim) {
    return generation == null || generation >= claim.generation();
  }

  private static Claim dropAgain(VolumeDraft v, Claim claim) {
    ClaimAsk again = claim.again();
    if (again == null) {
      return claim;
    }
    refuse(v, claim.alloc(), again, RejectCode.ALLOC_TERMINAL, "the alloc ended before the grant");
    return v.put(claim.edit().again(null).done());
  }

  private static void unmounted(VolumeDraft v, Claim claim) {
    if (claim.ending() == null) {
      Releasing.end(v, claim, EndCause.CLIENT_UNPUBLISHED);
    }
    Claim leaving = v.claim(claim.alloc());
    if (leaving == null
        || leaving.state() != ClaimState.UNPUBLISHING
        || NodeSteps.done(leaving.nodeStep())) {
      return;
    }
    v.put(
        Releasing.withdraw(v, leaving)
            .edit()
            .nodeStep(NodeStep.CLIENT_UNMOUNTED)
            .unmountError(null)
            .done());
    Attachment attachment = v.attachment(claim.node());
    boolean last = v.countingOn(claim.node()).stream().allMatch(c -> NodeSteps.done(c.nodeStep()));
    if (attachment != null && last && attachment.request() == null) {
      // The client unstages with its last use on the node.
      v.put(attachment.staging(Staging.NONE));
    }
  }

  private static void unmountFailed(VolumeDraft v, Claim claim, String error) {
    NodeStep step = NodeSteps.done(claim.nodeStep()) ? claim.nodeStep() : NodeStep.FAILED;
    v.put(
        claim
            .edit()
            .nodeStep(claim.ending() == null ? claim.nodeStep() : step)
            .unmountError(error)
            .done());
  }
}
