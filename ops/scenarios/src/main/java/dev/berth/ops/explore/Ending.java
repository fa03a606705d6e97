package dev.berth.ops.explore;

import dev.berth.records.CallFate;
import dev.berth.records.RpcCode;

/**
 * How a call ends: what the plugin did, what its worker learns of that, and whether the lanes hear
 * of it.
 */
enum Ending {
  OK(CallFate.ANSWERED, RpcCode.OK, true, Report.AT_ONCE),
  NOT_FOUND(CallFate.ANSWERED, RpcCode.NOT_FOUND, false, Report.AT_ONCE),
  ABORTED(CallFate.ANSWERED, RpcCode.ABORTED, false, Report.AT_ONCE),
  UNAVAILABLE(CallFate.ANSWERED, RpcCode.UNAVAILABLE, false, Report.AT_ONCE),
  UNAVAILABLE_DONE(CallFate.ANSWERED, RpcCode.UNAVAILABLE, true, Report.AT_ONCE),
  UNREACHED(CallFate.UNREACHED, RpcCode.UNAVAILABLE, false, Report.AT_ONCE),
  DEADLINE(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED, false, Report.AT_ONCE),
  DEADLINE_DONE(CallFate.UNANSWERED, RpcCode.DEADLINE_EXCEEDED, true, Report.AT_ONCE),
  INTERNAL(CallFate.ANSWERED, RpcCode.INTERNAL, false, Report.AT_ONCE),
  INTERNAL_DONE(CallFate.ANSWERED, RpcCode.INTERNAL, true, Report.AT_ONCE),
  UNKNOWN_DONE(CallFate.ANSWERED, RpcCode.UNKNOWN, true, Report.AT_ONCE),
  INVALID_ARGUMENT(CallFate.ANSWERED, RpcCode.INVALID_ARGUMENT, false, Report.AT_ONCE),
  FAILED_PRECONDITION(CallFate.ANSWERED, RpcCode.FAILED_PRECONDITION, false, Report.AT_ONCE),
  RESOURCE_EXHAUSTED(CallFate.ANSWERED, RpcCode.RESOURCE_EXHAUSTED, false, Report.AT_ONCE),
  ALREADY_EXISTS(CallFate.ANSWERED, RpcCode.ALREADY_EXISTS, false, Report.AT_ONCE),
  UNIMPLEMENTED(CallFate.ANSWERED, RpcCode.UNIMPLEMENTED, false, Report.AT_ONCE),
  PERMISSION_DENIED(CallFate.ANSWERED, RpcCode.PERMISSION_DENIED, false, Report.AT_ONCE),
  /** Its worker dies: nobody hears of it, and nothing was done. */
  LOST(CallFate.UNANSWERED, RpcCode.UNKNOWN, false, Report.NEVER),
  /** Its worker dies: nobody hears of it, but it was done. */
  LOST_DONE(CallFate.UNANSWERED, RpcCode.UNKNOWN, true, Report.NEVER),
  /** It is done, and the report of that is stuck somewhere. */
  LATE(CallFate.ANSWERED, RpcCode.OK, true, Report.LATE);

  /** What becomes of a worker's report. */
  enum Report {
    AT_ONCE,
    LATE,
    NEVER
  }

  private final CallFate fate;
  private final RpcCode code;
  private final boolean done;
  private final Report report;

  Ending(CallFate fate, RpcCode code, boolean done, Report report) {
    this.fate = fate;
    this.code = code;
    this.done = done;
    this.report = report;
  }

  CallFate fate() {
    return fate;
  }

  RpcCode code() {
    return code;
  }

  /** Whether the plugin did what it was asked. */
  boolean done() {
    return done;
  }

  Report report() {
    return report;
  }
}
