package dev.berth.streams.lanes;

import java.time.Instant;

/**
 * The snapshot of a plugin's volumes that is being read, or was read last.
 *
 * @param id id of the snapshot
 * @param beganAt when its first page was asked for (worker's clock)
 * @param pages pages read (count)
 * @param state what became of it
 * @param incompleteTold whether it was reported that listings are incomplete
 */
public record Snapshot(String id, Instant beganAt, int pages, State state, boolean incompleteTold) {

  /** What became of a snapshot. */
  public enum State {
    /** Further pages come. */
    OPEN,
    /** Its last page was read. */
    COMPLETE,
    /** Given up, or a page is missing: it proves nothing. */
    USELESS
  }

  Snapshot withPage() {
    return new Snapshot(id, beganAt, pages + 1, state, incompleteTold);
  }

  Snapshot complete() {
    return new Snapshot(id, beganAt, pages, State.COMPLETE, false);
  }

  Snapshot useless() {
    return new Snapshot(id, beganAt, pages, State.USELESS, true);
  }
}
