package dev.berth.ops.chaos;

import dev.berth.records.Claim;
import dev.berth.records.ClaimDecision;
import dev.berth.records.StateChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of claims as the history alone makes it, and when each claim was live. Pure. */
final class ClaimsFold {

  private static final String TABLE = "claims";

  /**
   * A time in which a claim was granted and its alloc had not ended.
   *
   * @param to when the alloc had ended; empty if it never did
   */
  record Live(String volume, String node, String alloc, Instant from, Optional<Instant> to) {

    boolean holdsAt(Instant moment) {
      return from.isBefore(moment) && to.map(moment::isBefore).orElse(true);
    }
  }

  private final Map<String, Claim> rows = new HashMap<>();
  private final Map<String, Live> open = new HashMap<>();
  private final List<Live> lives = new ArrayList<>();

  private ClaimsFold() {}

  static ClaimsFold of(List<ClaimDecision> decisions) {
    ClaimsFold fold = new ClaimsFold();
    for (ClaimDecision decision : decisions) {
      for (StateChange change : decision.getChanges()) {
        if (change.getTable().equals(TABLE)) {
          fold.apply(change, decision.getNow());
        }
      }
    }
    return fold;
  }

  /** The rows at the end by their keys. */
  Map<String, Claim> rows() {
    return Map.copyOf(rows);
  }

  /** All live times. */
  List<Live> lives() {
    List<Live> all = new ArrayList<>(lives);
    all.addAll(open.values());
    return all;
  }

  private void apply(StateChange change, Instant now) {
    String key = change.getKey();
    Optional<Claim> row = change.getValue().filter(Claim.class::isInstance).map(Claim.class::cast);
    row.ifPresentOrElse(claim -> rows.put(key, claim), () -> rows.remove(key));
    boolean live = row.filter(c -> c.getGranted() && c.getEndedAt().isEmpty()).isPresent();
    if (live) {
      Claim claim = row.orElseThrow();
      open.computeIfAbsent(
          key,
          none ->
              new Live(
                  claim.getVolume(), claim.getNode(), claim.getAlloc(), now, Optional.empty()));
    } else {
      Optional.ofNullable(open.remove(key))
          .map(l -> new Live(l.volume(), l.node(), l.alloc(), l.from(), Optional.of(now)))
          .ifPresent(lives::add);
    }
  }
}
