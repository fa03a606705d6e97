package dev.berth.streams.claims;

import dev.berth.records.AllocFate;
import dev.berth.records.ClaimState;
import dev.berth.records.EndCause;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.records.Staging;
import dev.berth.streams.policy.Policy;
import org.jspecify.annotations.Nullable;

/**
 * What schedulers say of their allocs. A statement that is not newer than the last one heard
 * changes nothing.
 */
final class Statements {
  private Statements() {}

  static Asking.Heard handle(VolumeDraft v, ClaimsEvent.Stated stated) {
    if (stated.body() instanceof ClaimsEvent.Asked asked) {
      return Asking.ask(v, stated, asked.ask());
    }
    Claim claim = v.claim(stated.alloc());
    if (claim == null) {
      remember(v, stated);
    } else if (claim.ask().scheduler().equals(stated.scheduler())
        && stated.index() > claim.index()) {
      tell(v, stated, v.put(claim.edit().index(stated.index()).done()));
    }
    return Asking.Heard.NOTHING;
  }

  private static void remember(VolumeDraft v, ClaimsEvent.Stated stated) {
    String alloc = stated.alloc();
    if (stated.body() instanceof ClaimsEvent.Gone) {
      AllocMemories.learnt(v, alloc, stated.scheduler(), stated.index(), AllocFate.GONE);
    } else if (stated.body() instanceof ClaimsEvent.StatusChanged status
        && Leaving.over(status.client())) {
      AllocMemories.learnt(v, alloc, stated.scheduler(), stated.index(), AllocFate.TERMINAL);
    } else if (stated.body() instanceof ClaimsEvent.Unmounted) {
      AllocMemories.unmounted(v, alloc, stated.scheduler(), stated.index());
    }
  }

  private static void tell(VolumeDraft v, ClaimsEvent.Stated stated, Claim claim) {
    if (stated.body() instanceof ClaimsEvent.StatusChanged status) {
      Claim told = v.put(claim.edit().status(status.client(), status.desired()).done());
      if (Leaving.over(status.client())) {
        dropAgain(v, told);
      }
    } else if (stated.body() instanceof ClaimsEvent.Gone gone
        && concerns(gone.claimGeneration(), claim)) {
      AllocMemories.learnt(v, claim.alloc(), stated.scheduler(), stated.index(), AllocFate.GONE);
      Claim told = dropAgain(v, claim);
      if (told.ending() == null) {
        Leaving.end(v, told, EndCause.ALLOC_GONE);
      }
    } else if (stated.body() instanceof ClaimsEvent.Unmounted unmounted) {
      if (!ofEarlierTaking(v, stated, unmounted.claimGeneration(), claim)) {
        unmounted(v, claim);
      }
    } else if (stated.body() instanceof ClaimsEvent.UnmountFailed failed
        && concerns(failed.claimGeneration(), claim)) {
      unmountFailed(v, claim, failed.error());
    }
  }

  /** A statement about an earlier generation says nothing of the present claim. */
  private static boolean concerns(@Nullable Long generation, Claim claim) {
    return generation == null || generation >= claim.generation();
  }

  /** Whether an unmount is that of an earlier taking; one that was left behind a fence is noted. */
  private static boolean ofEarlierTaking(
      VolumeDraft v, ClaimsEvent.Stated stated, @Nullable Long generation, Claim claim) {
    boolean earlier = !concerns(generation, claim);
    // What only waits was never mounted: the client speaks of what it had before.
    boolean canOnlyBeEarlier = claim.state() == ClaimState.WAITING && generation == null;
    return (earlier || canOnlyBeEarlier)
        && (AllocMemories.unmounted(v, claim.alloc(), stated.scheduler(), stated.index())
            || earlier);
  }

  private static Claim dropAgain(VolumeDraft v, Claim claim) {
    ClaimAsk again = claim.again();
    if (again == null) {
      return claim;
    }
    Leaving.refuse(
        v, claim.alloc(), again, RejectCode.ALLOC_TERMINAL, "the alloc ended before the grant");
    return v.put(claim.edit().again(null).done());
  }

  private static void unmounted(VolumeDraft v, Claim claim) {
    if (claim.ending() == null) {
      Leaving.end(v, claim, EndCause.CLIENT_UNPUBLISHED);
    }
    Claim leaving = v.claim(claim.alloc());
    if (leaving == null) {
      return;
    }
    if (leaving.nodeStep() == NodeStep.FENCED) {
      // The node is back, and clean as far as this claim is concerned.
      v.put(leaving.edit().nodeStep(NodeStep.CLIENT_UNMOUNTED).done());
      return;
    }
    if (leaving.state() != ClaimState.UNPUBLISHING || NodeSteps.done(leaving.nodeStep())) {
      return;
    }
    if (leaving.nodePublishAsked() && v.policy(leaving).nodeStep() == Policy.NodeStepBy.WORKER) {
      // A node worker mounted it and has to undo that: the client ends its use, and cannot know.
      v.put(leaving.edit().nodeStep(NodeStep.OPEN).unmountError(null).done());
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
