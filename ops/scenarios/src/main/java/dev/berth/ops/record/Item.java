package dev.berth.ops.record;

import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.StuckClaim;
import java.time.Instant;
import java.util.List;

/** Something that happened: an input becomes steps, everything else is expected of them. */
sealed interface Item {
  /** When. */
  Instant at();

  /**
   * It came from outside.
   *
   * @param at when
   * @param steps what a file says for it
   */
  record Input(Instant at, List<Step> steps) implements Item {}

  /**
   * A worker began an RPC.
   *
   * @param at when
   * @param request its lane request
   * @param text the RPC in the notation of scenarios
   */
  record Started(Instant at, String request, String text) implements Item {}

  /**
   * A request was put into its lane or, after a failure, back into it.
   *
   * @param at when
   * @param request the lane request
   */
  record Queued(Instant at, String request) implements Item {}

  /** A decision about a volume. */
  record Decided(Instant at, ClaimDecision decision) implements Item {}

  /** An answer to a claim. */
  record Replied(Instant at, ClaimReply reply) implements Item {}

  /** A dead letter, or its end. */
  record Dead(Instant at, StuckClaim letter) implements Item {}

  /**
   * The answer to a command of the file.
   *
   * @param at when
   * @param result what a file expects
   * @param told whether a file says so
   */
  record Result(Instant at, Object result, boolean told) implements Item {}

  /** Something that follows from time alone and shows in nothing else. */
  record Passed(Instant at) implements Item {}
}
