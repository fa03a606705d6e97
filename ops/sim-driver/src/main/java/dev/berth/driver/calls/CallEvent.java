package dev.berth.driver.calls;

import io.grpc.Status;
import java.time.Instant;

/** One line of a call log. */
public sealed interface CallEvent {

  /** Position in the log, from 1, without gaps. */
  long sequence();

  /** Wall clock of the driver. */
  Instant at();

  /** A call has come in. Its sequence is the number of the call from here on. */
  record Started(long sequence, Instant at, CallFacts facts) implements CallEvent {}

  /**
   * What the call asked for has been done, or was so already. May come after the end of a call
   * whose caller went away.
   *
   * @param call number of the call
   */
  record Affected(long sequence, Instant at, long call) implements CallEvent {}

  /**
   * The caller has its answer, or has gone away.
   *
   * @param call number of the call
   * @param code what the caller sees
   * @param message the text that goes with it, empty for OK
   */
  record Ended(long sequence, Instant at, long call, Status.Code code, String message)
      implements CallEvent {}

  /** A new process goes on with this log: whatever was open has lost its connection. */
  record Restarted(long sequence, Instant at) implements CallEvent {}
}
