package dev.berth.workers.accept;

import dev.berth.workers.kafka.KafkaClients;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an accept loop came round, and when it polled. Written by the thread of the loop, read by
 * any.
 *
 * <p>A process that stood still for longer than a session wakes up with the partitions that it had,
 * and so does what its threads were about to say of them. The next heartbeat tells it that they are
 * another's now, though not the next poll: so for one more session it is not sure of them.
 */
final class LoopTimes {

  private static final Duration SESSION = KafkaClients.SESSION_TIMEOUT;

  private final Clocks clocks;
  private volatile Moment round;
  private volatile Moment turn;

  /** When it polled again after it had not for a session; null since it joined anew. */
  private volatile @Nullable Moment woke;

  private boolean polledBefore;

  LoopTimes(Clocks clocks) {
    this.clocks = clocks;
    this.round = clocks.read();
    this.turn = round;
  }

  /** The loop goes on, whatever it has achieved. */
  void cameRound() {
    round = clocks.read();
  }

  /** It begins anew: what it is given from now on is its own. */
  void joins() {
    polledBefore = false;
    woke = null;
  }

  /** It has polled, or knows why not. */
  void polled() {
    Moment now = clocks.read();
    if (polledBefore && now.since(turn).compareTo(SESSION) > 0) {
      woke = now;
    }
    polledBefore = true;
    turn = now;
  }

  Duration sinceRound() {
    return clocks.read().since(round);
  }

  Duration sincePoll() {
    return clocks.read().since(turn);
  }

  /** Returns whether what was polled last is its own still, as far as can be known. */
  boolean isSure() {
    Moment now = clocks.read();
    Moment since = woke;
    return now.since(turn).compareTo(SESSION) <= 0
        && (since == null || now.since(since).compareTo(SESSION) > 0);
  }
}
