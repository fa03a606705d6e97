package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.command.Answer;
import dev.berth.streams.work.Drift;
import dev.berth.streams.work.LaneRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What goes out of a decision about a volume. */
public sealed interface ClaimsEffect {
  /**
   * An answer to a claim.
   *
   * @param key volume
   * @param alloc alloc id
   * @param ask the claim
   * @param generation its generation; 0 when it never had one
   * @param outcome granted, waiting or rejected
   * @param code why it was rejected; null otherwise
   * @param hold why its attach waits; null when it does not
   * @param message words for people
   * @param heldBy alloc that holds the volume while it waits for capacity; null otherwise
   * @param publishContext publish_context for the node plugin
   */
  record Replied(
      VolumeKey key,
      String alloc,
      ClaimAsk ask,
      long generation,
      ReplyOutcome outcome,
      @Nullable RejectCode code,
      @Nullable HoldCode hold,
      String message,
      @Nullable String heldBy,
      Map<String, String> publishContext)
      implements ClaimsEffect {}

  /**
   * Work for the plugin's lanes.
   *
   * @param request the request
   */
  record Requested(LaneRequest request) implements ClaimsEffect {}

  /**
   * The answer to a command.
   *
   * @param answer the answer
   */
  record Answered(Answer answer) implements ClaimsEffect {}

  /**
   * A claim, or the detach of an attachment that no claim asked for, needs an operator.
   *
   * @param letter what it is and why it waits
   * @param step call that cannot be done; null when the step is not a call
   */
  record Stuck(DeadLetter letter, @Nullable CsiCall step) implements ClaimsEffect {}

  /**
   * What was stuck goes on.
   *
   * @param letter what it was and why it waited
   * @param how what resolved it
   */
  record Resolved(DeadLetter letter, String how) implements ClaimsEffect {}

  /**
   * Listings differ from the rows.
   *
   * @param drift in what
   */
  record Drifted(Drift drift) implements ClaimsEffect {}

  /**
   * Something happened, for the history.
   *
   * @param name what: see claim-history
   * @param alloc alloc; null when it concerns the volume
   * @param node node; null when it concerns none
   * @param code code; null when there is none
   * @param message words for people
   */
  record Happened(
      String name,
      @Nullable String alloc,
      @Nullable String node,
      @Nullable String code,
      String message)
      implements ClaimsEffect {}
}
