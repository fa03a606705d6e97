package dev.berth.streams.work;

import dev.berth.records.HoldCode;
import dev.berth.records.RpcCode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a step waits.
 *
 * @param code reason, that of the last failure
 * @param message text for people, secrets redacted; may be empty
 * @param rpcCode the plugin's last code; null when no RPC was made
 * @param attempts failed attempts in the present budget (count)
 * @param firstFailure first failure in the present budget
 * @param lastFailure last failure
 * @param nextRetry when the next try is due; null when an event ends the hold
 * @param stuck whether the budget is used up and an operator was told
 */
public record Hold(
    HoldCode code,
    String message,
    @Nullable RpcCode rpcCode,
    int attempts,
    Instant firstFailure,
    Instant lastFailure,
    @Nullable Instant nextRetry,
    boolean stuck) {

  /** Returns it under another code. */
  public Hold as(HoldCode other) {
    return new Hold(other, message, rpcCode, attempts, firstFailure, lastFailure, nextRetry, stuck);
  }

  /** Returns it as it is while another try is under way: nobody needs to be told for now. */
  public Hold inNewBudget(Instant now) {
    return new Hold(code, message, rpcCode, attempts, firstFailure, now, nextRetry, false);
  }

  /** Returns it once it has lasted as long as a whole budget: an operator is told. */
  public Hold usedUp(int budget, Instant now) {
    return new Hold(code, message, rpcCode, budget, firstFailure, now, nextRetry, true);
  }

  /** Whether only an event ends it, and no attempt is counted meanwhile. */
  public boolean lastsUncounted() {
    return nextRetry == null && !stuck;
  }
}
