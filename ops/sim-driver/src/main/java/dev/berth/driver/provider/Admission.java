package dev.berth.driver.provider;

import io.grpc.Status;

/** Whether a call may begin beside those that are open. */
public sealed interface Admission {

  /**
   * It begins.
   *
   * @param release to be run once, when its work has ended
   */
  record Admitted(Runnable release) implements Admission {}

  /**
   * It begins, and will come to nothing.
   *
   * @param release to be run once, when its work has ended
   */
  record Doomed(Status.Code code, String message, Runnable release) implements Admission {}

  /** It does not begin. */
  record Refused(Status.Code code, String message) implements Admission {}

  /** A call that stands in nobody's way. */
  static Admission free() {
    return new Admitted(() -> {});
  }
}
