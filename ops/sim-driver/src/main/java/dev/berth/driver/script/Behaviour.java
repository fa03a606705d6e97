package dev.berth.driver.script;

import io.grpc.Status;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What happens to a call besides taking its time. */
public sealed interface Behaviour {

  /** It is carried out and answered. */
  record Answer() implements Behaviour {}

  /**
   * It is carried out and answered; an attach with this publish context rather than the driver's.
   */
  record AnswerWith(Map<String, String> context) implements Behaviour {
    public AnswerWith {
      context = Map.copyOf(context);
    }
  }

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

  /**
   * It waits until somebody says what happens: nothing is done before. The caller may be gone by
   * then; the answer is dropped.
   *
   * @param answer completed with what happens; not with another wait
   */
  record Held(CompletableFuture<Behaviour> answer) implements Behaviour {}

  private static void requireError(Status.Code code) {
    if (code == Status.Code.OK) {
      throw new IllegalArgumentException("code OK is not a failure; use answer");
    }
  }
}
