package dev.berth.ops.record;

import dev.berth.ops.scenario.Words;
import dev.berth.records.Attachment;
import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimState;
import dev.berth.records.Hold;
import dev.berth.records.HoldCode;
import dev.berth.records.StateChange;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Claims and attachments of volumes as their decisions leave them, by key. */
final class VolumeTable {
  private final Map<String, Claim> claims = new TreeMap<>();
  private final Map<String, Attachment> attachments = new TreeMap<>();

  /** Follows a decision. */
  void apply(ClaimDecision decision) {
    for (StateChange change : decision.getChanges()) {
      Object value = change.getValue().orElse(null);
      if (change.getTable().equals("claims")) {
        if (value instanceof Claim claim) {
          claims.put(change.getKey(), claim);
        } else {
          claims.remove(change.getKey());
        }
      } else if (change.getTable().equals("attachments")) {
        if (value instanceof Attachment attachment) {
          attachments.put(change.getKey(), attachment);
        } else {
          attachments.remove(change.getKey());
        }
      }
    }
  }

  /** Whether there is neither a claim nor an attachment. */
  boolean isEmpty() {
    return claims.isEmpty() && attachments.isEmpty();
  }

  /** The present generation of a claim; 0 when there is none. */
  long generation(String volume, String alloc) {
    Claim claim = claims.get(volume + "/" + alloc);
    return claim == null ? 0 : claim.getGeneration();
  }

  /** What a file expects of a volume's claims. */
  Map<String, Object> claims(String volume, Set<String> allocs) {
    Map<String, Object> rows = new LinkedHashMap<>();
    for (Claim claim : claims.values()) {
      if (volume.equals(claim.getNamespace() + "/" + claim.getVolume())
          && allocs.contains(claim.getAlloc())) {
        rows.put(claim.getAlloc(), row(claim));
      }
    }
    return rows;
  }

  private static Map<String, Object> row(Claim claim) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("node", claim.getNode());
    row.put("mode", Words.of(claim.getMode()));
    row.put(
        "state", claim.getState() == ClaimState.RESERVING ? "waiting" : Words.of(claim.getState()));
    claim
        .getHold()
        .filter(hold -> hold.getCode() != HoldCode.UNRECOGNIZED)
        .ifPresent(
            hold -> {
              row.put("hold", Words.of(hold.getCode()));
              stuck(row, hold);
            });
    return row;
  }

  private static void stuck(Map<String, Object> row, Hold hold) {
    if (hold.getStuck()) {
      row.put("stuck", Words.of(hold.getCode()));
    }
  }

  /** What a file expects of a volume's attachments. */
  Map<String, Object> attachments(String volume) {
    Map<String, Object> states = new LinkedHashMap<>();
    for (Attachment attachment : attachments.values()) {
      if (attachment.getPublished()
          && volume.equals(attachment.getNamespace() + "/" + attachment.getVolume())) {
        attachment
            .getExternalNode()
            .ifPresent(node -> states.put(node, Words.of(attachment.getState())));
      }
    }
    return states;
  }
}
