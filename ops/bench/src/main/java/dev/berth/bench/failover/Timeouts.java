package dev.berth.bench.failover;

import java.time.Duration;

/**
 * The settings in force that say how long a killed process can be felt.
 *
 * @param worker session of a worker in its group
 * @param streams session of a Streams instance in its group
 * @param transaction how long a transaction may stay open
 * @param sweep how often brokers look for transactions that are open too long
 */
record Timeouts(Duration worker, Duration streams, Duration transaction, Duration sweep) {
  /** What all else may take: joining, opening stores, the first of what follows. */
  private static final Duration ELSE = Duration.ofSeconds(2);

  /**
   * The goal: whoever takes over waits for the session and, if a transaction was left open, for its
   * end. Both begin with the kill, so the longer one counts.
   */
  Duration limit(Struck struck) {
    Duration session =
        switch (struck) {
          case WORKER -> worker;
          case STREAMS_WITH_STANDBY, STREAMS_ALONE -> streams;
          case BROKER -> longer(worker, streams);
        };
    return longer(session, transaction.plus(sweep)).plus(ELSE);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
