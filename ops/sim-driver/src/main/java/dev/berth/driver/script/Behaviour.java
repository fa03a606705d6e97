package dev.berth.driver.script;

import io.grpc.Status;

/** What happens to a call besides taking its time. */
public sealed interface Behaviour {

  /** It is carried out and answered. */
  record Answer() implements Behaviour {}

  /** It is refused with this code; nothing is done. */
  record Fail(Status.Code code, String message) implements Behaviour {
    public Fail {
      requireError(code);
    }
  }

  /** It is neither done nor answered for as long as the caller waits. */
  record Hang() implements Behaviour {}

  /** It is carried out, and never answered. */
  record LoseReply() implements Behaviour {}

  /** It is carried out, and answered with this code all the same. */
  record FailAfterEffect(Status.Code code, String message) implements Behaviour {
    public FailAfterEffect {
      requireError(code);
    }
  }

  /** A Probe says that the plugin is still starting; every other call is answered as usual. */
  record NotReady() implements Behaviour {}

  private static void requireError(Status.Code code) {
    if (code == Status.Code.OK) {
      throw new IllegalArgumentException("code OK is not a failure; use answer");
    }
  }
}
