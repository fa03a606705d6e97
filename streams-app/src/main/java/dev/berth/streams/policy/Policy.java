package dev.berth.streams.policy;

import java.time.Duration;

/**
 * The settings in force for one plugin and volume. All durations are positive unless said
 * otherwise.
 *
 * @param lane what shares a lane of controller RPCs
 * @param rpcTimeout time one RPC may take
 * @param backoff how long to wait between attempts
 * @param maxAttempts failed attempts (count) until the dead letter; retries go on at the longest
 *     backoff
 * @param nodeLoss what a lost node means for the claims on it
 * @param unpublishNotFound what NOT_FOUND on a detach means
 * @param gc interval of the claim collection and how long a claim must have waited for it
 * @param pluginGc interval of the plugin collection and how long a plugin must have been without an
 *     instance
 * @param readyTimeout longest time from the claim to the grant
 * @param nodeStep who does the node step
 * @param weights shares of attaches and detaches in a lane
 * @param run most calls in one work record (count); 0: sized by the plugin's speed, at most 32
 * @param settleMargin time after the RPC timeout that a lane waits for a late outcome; may be zero
 * @param breakerFailures failures in a row (count) after which the calls for a node yield to those
 *     of other nodes
 */
public record Policy(
    LaneScope lane,
    Duration rpcTimeout,
    Backoff backoff,
    int maxAttempts,
    NodeLoss nodeLoss,
    UnpublishNotFound unpublishNotFound,
    Collection gc,
    Collection pluginGc,
    Duration readyTimeout,
    NodeStepBy nodeStep,
    Weights weights,
    int run,
    Duration settleMargin,
    int breakerFailures) {

  /** What shares a lane: the fewer, the more RPCs of a plugin may be open together. */
  public enum LaneScope {
    PLUGIN,
    NODE,
    VOLUME,
    VOLUME_NODE
  }

  /** What a lost node means. */
  public enum NodeLoss {
    STOP_ON_DISCONNECT,
    HOLD,
    DETACH
  }

  /** What NOT_FOUND on a detach means: detached, or a plugin that lies and is asked again. */
  public enum UnpublishNotFound {
    RELEASED,
    RETRY
  }

  /** Who unmounts: the client, which reports it, or the node workers. */
  public enum NodeStepBy {
    CLIENT,
    WORKER
  }

  /**
   * A periodic collection.
   *
   * @param interval time between two passes
   * @param threshold how long something must have been due; may be zero
   */
  public record Collection(Duration interval, Duration threshold) {}

  /**
   * Shares of a lane while both kinds wait.
   *
   * @param attach attaches in a turn (count, at least 1)
   * @param detach detaches in a turn (count, at least 1)
   */
  public record Weights(int attach, int detach) {}

  /**
   * Exponential backoff.
   *
   * @param first wait after the first failure
   * @param factor what each further wait is multiplied by, at least 1
   * @param max longest wait
   * @param jitter share by which a wait is spread, 0 to 1
   */
  public record Backoff(Duration first, double factor, Duration max, double jitter) {
    /**
     * The wait after a number of failures. Never zero and never beyond {@code max}, whatever the
     * count.
     *
     * @param failures failures so far (count, at least 1)
     * @param spread where in the jitter this wait falls, 0 to below 1
     */
    public Duration after(int failures, double spread) {
      double millis = (double) first.toMillis() * Math.pow(factor, Math.max(0, failures - 1));
      double capped = Math.min(millis, (double) max.toMillis());
      double spreadOut = capped * (1 - jitter * spread);
      return Duration.ofMillis(Math.max(1, Math.round(spreadOut)));
    }

    /**
     * How long attempts last that fail at once, from the first to the last of them.
     *
     * @param attempts attempts (count, at least 1)
     */
    public Duration between(int attempts) {
      Duration all = Duration.ZERO;
      for (int failures = 1; failures < attempts; failures++) {
        all = all.plus(after(failures, 0));
      }
      return all;
    }

    /** The longest wait, spread like the others. */
    public Duration longest(double spread) {
      return Duration.ofMillis(Math.max(1, Math.round(max.toMillis() * (1 - jitter * spread))));
    }
  }
}
