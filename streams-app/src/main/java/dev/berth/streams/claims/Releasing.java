package dev.berth.streams.claims;

import dev.berth.records.VolumeState;
import dev.berth.streams.work.LaneRequest;

/** The end of a row: its own request is taken back, and when nothing is owed any more it goes. */
final class Releasing {
  private Releasing() {}

  /**
   * Takes back the request that works for the claim alone; its settlement says what became of it.
   */
  static Claim withdraw(VolumeDraft v, Claim claim) {
    String request = claim.request();
    if (request == null || claim.withdrawing()) {
      return claim;
    }
    v.request(request, claim.taken().plugin(), new LaneRequest.Withdraw());
    return claim.edit().withdrawing().done();
  }

  /** Removes a row: only here is capacity freed. */
  static void free(VolumeDraft v, Claim claim, String how) {
    Claim free = Holding.unhold(v, claim, how);
    v.remove(free);
    v.happened("released", free, null, how);
    AllocMemories.released(v, free);
    ClaimAsk again = free.again();
    if (again != null) {
      long generation = again.generation() > 0 ? again.generation() : v.nextGeneration();
      ClaimAsk ask = again.withGeneration(0);
      v.put(Claim.waiting(v.key(), free.alloc(), ask, free.index(), generation, v.now()));
    }
    clearModeWithLastRow(v);
  }

  private static void clearModeWithLastRow(VolumeDraft v) {
    Volume volume = v.volume();
    if (volume == null || v.claims().stream().anyMatch(Claim::counts)) {
      return;
    }
    if (volume.access() != null || volume.attachment() != null) {
      v.put(volume.inMode(null, null));
    }
    if (volume.state() == VolumeState.DEREGISTERING
        && v.claims().isEmpty()
        && v.attachments().isEmpty()) {
      Registration.remove(v, volume);
    }
  }
}
