package dev.berth.streams.lanes;

import dev.berth.streams.work.Hold;
import java.util.List;

/**
 * Where a call is. Exactly one of three:
 *
 * <pre>
 *           lane free, turn            failed, or cannot be made
 *  Queued ───────────────► Open ─────────────────────────────────► Held
 *     ▲                     │ never reached: next instance, stays Open │
 *     │◄── its run stopped  │                                          │
 *     │                     ▼                                          │
 *     │                  settled                                       │
 *     └────────────── due, or the cause is gone ───────────────────────┘
 * </pre>
 */
public sealed interface Place {

  /**
   * In line.
   *
   * @param lane lane it waits in
   * @param position place in line; rises with each that joins
   */
  record Queued(String lane, long position) implements Place {}

  /**
   * Its attempt is out.
   *
   * @param lane lane it holds
   * @param attemptId attempt
   * @param tried nodes of the instances tried in this turn, the present one last
   * @param withdrawn whether it was withdrawn meanwhile, so that a failure ends it
   * @param position place in line that it came from, and goes back to when its run stops before it
   */
  record Open(String lane, String attemptId, List<String> tried, boolean withdrawn, long position)
      implements Place {
    /** Keeps a copy. */
    public Open {
      tried = List.copyOf(tried);
    }

    Open asWithdrawn() {
      return new Open(lane, attemptId, tried, true, position);
    }
  }

  /**
   * In no lane, so that it blocks nobody.
   *
   * @param hold why it waits and until when
   */
  record Held(Hold hold) implements Place {}
}
