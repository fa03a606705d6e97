package dev.berth.streams.claims;

import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.Staging;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Rows that stand without what this version writes along with them: an older version, a hand edit
 * or a bug left them. What is not known to be detached counts as attached, and what is not known to
 * be unmounted as mounted (domain.md, "Detach": absence of information never frees anything). No
 * other rule has to think of such rows.
 */
final class Restoring {
  /** Generations are counted from 1. */
  private static final long UNKNOWN_ATTACHMENT = 0;

  private Restoring() {}

  /** Gives rows what is missing beside them. Writes nothing where rows are as this version is. */
  static void restore(VolumeDraft v) {
    List<Claim> counting =
        v.claims().stream()
            .filter(Claim::counts)
            .sorted(Comparator.comparing(Claim::generation))
            .toList();
    counting.forEach(claim -> mode(v, claim));
    Map<String, List<Claim>> alone = new TreeMap<>();
    for (Claim claim : counting) {
      if (claim.state() == ClaimState.CONTROLLER_DETACHED) {
        lastStep(v, claim);
      } else if (claim.state() != ClaimState.RESERVING && v.attachment(claim.node()) == null) {
        alone.computeIfAbsent(claim.node(), node -> new ArrayList<>()).add(claim);
      }
    }
    alone.values().forEach(rows -> attachment(v, rows));
  }

  /** A volume is in the mode of its first claim; without one, another claim would be let in. */
  private static void mode(VolumeDraft v, Claim claim) {
    Volume volume = v.volume();
    if (volume != null && volume.access() == null) {
      v.put(volume.inMode(claim.ask().access(), claim.ask().attachment()));
    }
  }

  /** Only the removal was left of it, unless something is attached, of which nobody knows more. */
  private static void lastStep(VolumeDraft v, Claim claim) {
    if (v.attachment(claim.node()) == null) {
      Releasing.free(v, claim, "its detach stands in its row");
    } else {
      v.put(claim.edit().state(ClaimState.NODE_DETACHED, v.now()).done());
    }
  }

  /**
   * Rows that are past their reservation had an attach: only an OK will say what became of it. A
   * slot is not known to be held, so none is given back.
   */
  private static void attachment(VolumeDraft v, List<Claim> rows) {
    List<Claim> told = rows.stream().map(row -> toldPerhaps(v, row)).toList();
    Claim first = Machines.identify(v, told.get(0));
    ClaimTerms terms = first.taken();
    boolean controller = terms.controllerRequired();
    v.put(
        new Attachment(
            v.key(),
            first.node(),
            terms.plugin(),
            terms.externalVolume(),
            terms.externalNode(),
            v.nextGeneration(),
            controller ? AttachmentState.UNCERTAIN : AttachmentState.ATTACHED,
            v.now(),
            controller,
            controller,
            false,
            first.ask().access(),
            !first.ask().writes(),
            Map.of(),
            rows.stream().allMatch(Restoring::nodeStepDone) ? Staging.NONE : Staging.MAYBE,
            null,
            null,
            false,
            null,
            false));
    v.happened("restored", first, null, "no attachment stands beside its row");
  }

  /**
   * An alloc that is not known to have been told may have been: only its unmount will tell. One
   * that was told has had its attach, whichever that was: none is made for it on this account.
   */
  private static Claim toldPerhaps(VolumeDraft v, Claim claim) {
    boolean perhaps = claim.state() == ClaimState.TAKEN && !claim.granted();
    ClaimEdit edit = claim.edit();
    if (perhaps) {
      edit = edit.nodePublishAsked(true);
    } else if (claim.toAttachAgain()) {
      edit = edit.attachedBy(UNKNOWN_ATTACHMENT);
    }
    Claim told = v.put(edit.done());
    v.indexed(told);
    return told;
  }

  private static boolean nodeStepDone(Claim claim) {
    return claim.state() == ClaimState.NODE_DETACHED || NodeSteps.done(claim.nodeStep());
  }
}
