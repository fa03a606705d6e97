package dev.berth.streams.claims;

import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.streams.work.Hold;
import org.jspecify.annotations.Nullable;

/**
 * What a dead letter that is open told the operator.
 *
 * @param code reason
 * @param step call that cannot be done; null when the step is not a call
 */
public record Letter(HoldCode code, @Nullable CsiCall step) {

  /**
   * Whether a hold is to be written to an operator: once for each budget that is used up, and again
   * when a later failure has another reason than the letter gives, for its code is that of the last
   * failure (domain rule "Errors"). A pause is none, nor is a step that is held otherwise before it
   * was tried again.
   *
   * @param open letter that is open; null when none is
   * @param before hold that was shown before; null when none was
   * @param hold hold that is to be shown
   * @param step call that is held; null when the step is not a call
   */
  static boolean isDue(
      @Nullable Letter open, @Nullable Hold before, Hold hold, @Nullable CsiCall step) {
    if (!hold.stuck()) {
      return false;
    }
    if (open == null || before == null || !before.stuck()) {
      return true;
    }
    // Two failures can fall into one millisecond. What the rows find themselves, the loss of a
    // node for one, is never an earlier failure of a call told otherwise.
    boolean later =
        hold.lastFailure().isAfter(before.lastFailure())
            || hold.attempts() > before.attempts()
            || (step == null && hold.code() != open.code());
    return later && !open.equals(new Letter(hold.code(), step));
  }
}
