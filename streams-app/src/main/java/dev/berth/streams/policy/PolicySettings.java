package dev.berth.streams.policy;

import static dev.berth.streams.policy.PolicyScope.DEFAULT;
import static dev.berth.streams.policy.PolicyScope.PLUGIN;
import static dev.berth.streams.policy.PolicyScope.VOLUME;
import static dev.berth.streams.policy.Values.choice;
import static dev.berth.streams.policy.Values.count;
import static dev.berth.streams.policy.Values.duration;
import static dev.berth.streams.policy.Values.number;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table of all policy keys: from it follow what a policy may say, what holds when none says
 * anything, and the documentation ({@link PolicyPage}).
 */
public final class PolicySettings {
  private static final Setting<Policy.LaneScope> LANE =
      new Setting<>(
          "lane",
          PLUGIN,
          choice(Policy.LaneScope.class),
          "plugin",
          "What shares a lane, in which only one controller RPC is open at a time. `plugin` is safe"
              + " with every driver; the others are for drivers known to bear more.");
  private static final Setting<Duration> RPC_TIMEOUT =
      new Setting<>(
          "rpc-timeout",
          VOLUME,
          duration("100ms", "1h", "2m"),
          "2m",
          "Time one RPC may take; unanswered after it, it counts as DEADLINE_EXCEEDED.");
  private static final Setting<Duration> BACKOFF_FIRST =
      new Setting<>(
          "backoff.first",
          VOLUME,
          duration("1ms", "1h", "1s"),
          "1s",
          "Wait after the first failed attempt; never more than `backoff.max`, wherever that is set.");
  private static final Setting<Double> BACKOFF_FACTOR =
      new Setting<>(
          "backoff.factor",
          VOLUME,
          number(1, 100, "2"),
          "2",
          "What each further wait is multiplied by.");
  private static final Setting<Duration> BACKOFF_MAX =
      new Setting<>(
          "backoff.max", VOLUME, duration("1ms", "24h", "5m"), "5m", "Longest wait, also later.");
  private static final Setting<Double> BACKOFF_JITTER =
      new Setting<>(
          "backoff.jitter",
          VOLUME,
          number(0, 1, "0.2"),
          "0.2",
          "Share by which a wait is shortened at random, so that calls that failed together do not"
              + " come back together.");
  private static final Setting<Integer> MAX_ATTEMPTS =
      new Setting<>(
          "max-attempts",
          VOLUME,
          count(1, 1000, "8"),
          "8",
          "Failed attempts of a step until its claim goes to the dead letters; it is tried on at"
              + " the longest wait.");
  private static final Setting<Policy.NodeLoss> NODE_LOSS =
      new Setting<>(
          "node-loss",
          VOLUME,
          choice(Policy.NodeLoss.class),
          "stop-on-disconnect",
          "What a node that is down means for the claims on it. `stop-on-disconnect`: those whose"
              + " alloc promised to stop count as unmounted after that time, others are held."
              + " `hold`: all are held. `detach`: all count as unmounted at once.");
  private static final Setting<Policy.UnpublishNotFound> UNPUBLISH_NOT_FOUND =
      new Setting<>(
          "unpublish-not-found",
          VOLUME,
          choice(Policy.UnpublishNotFound.class),
          "released",
          "What NOT_FOUND means as the answer to a detach: detached, or (`retry`) that a plugin"
              + " lies and is asked again.");
  private static final Setting<Duration> GC_INTERVAL =
      new Setting<>(
          "gc.interval",
          DEFAULT,
          duration("1s", "24h", "5m"),
          "5m",
          "Time between two collections of claims and of ended sessions, at whole multiples since"
              + " 1970.");
  private static final Setting<Duration> GC_THRESHOLD =
      new Setting<>(
          "gc.threshold",
          VOLUME,
          duration("0s", "720h", "5m"),
          "5m",
          "How long a claim must have waited before a collection acts on it.");
  private static final Setting<Duration> PLUGIN_GC_INTERVAL =
      new Setting<>(
          "plugin-gc.interval",
          DEFAULT,
          duration("1s", "24h", "5m"),
          "5m",
          "Time between two collections of plugin records, at whole multiples since 1970.");
  private static final Setting<Duration> PLUGIN_GC_THRESHOLD =
      new Setting<>(
          "plugin-gc.threshold",
          PLUGIN,
          duration("0s", "720h", "1h"),
          "1h",
          "How long a plugin record must have been without an instance to be removed.");
  private static final Setting<Duration> READY_TIMEOUT =
      new Setting<>(
          "ready-timeout",
          VOLUME,
          duration("1s", "720h", "24h"),
          "24h",
          "Longest time from a claim to its grant; after it the claim is rejected.");
  private static final Setting<Policy.NodeStepBy> NODE_STEP =
      new Setting<>(
          "node-step",
          VOLUME,
          choice(Policy.NodeStepBy.class),
          "client",
          "Who mounts and unmounts: the scheduler's client, which reports it, or node workers.");
  private static final Setting<Integer> ATTACH_WEIGHT =
      new Setting<>(
          "weights.attach",
          PLUGIN,
          count(1, 100, "1"),
          "1",
          "Attaches in one turn of a lane while attaches and detaches wait.");
  private static final Setting<Integer> DETACH_WEIGHT =
      new Setting<>(
          "weights.detach",
          PLUGIN,
          count(1, 100, "1"),
          "1",
          "Detaches in one turn of a lane while attaches and detaches wait.");
  private static final Setting<Integer> RUN =
      new Setting<>(
          "run",
          PLUGIN,
          count(0, 32, "1"),
          "0",
          "Most calls of a controller lane in one work record; 0 sizes it by the plugin's speed:"
              + " as many as take a second at most.");
  private static final Setting<Duration> SETTLE_MARGIN =
      new Setting<>(
          "settle-margin",
          PLUGIN,
          duration("0s", "10m", "5s"),
          "5s",
          "Time after the RPC timeout for which a lane waits for a late outcome. Under 2s it no longer"
              + " covers a clock that is set while a call is open.");
  private static final Setting<Integer> BREAKER_FAILURES =
      new Setting<>(
          "breaker-failures",
          PLUGIN,
          count(1, 1000, "5"),
          "5",
          "Failures in a row after which the calls for a node yield to those of other nodes.");

  private static final List<Setting<?>> ALL =
      List.of(
          LANE,
          RPC_TIMEOUT,
          BACKOFF_FIRST,
          BACKOFF_FACTOR,
          BACKOFF_MAX,
          BACKOFF_JITTER,
          MAX_ATTEMPTS,
          NODE_LOSS,
          UNPUBLISH_NOT_FOUND,
          GC_INTERVAL,
          GC_THRESHOLD,
          PLUGIN_GC_INTERVAL,
          PLUGIN_GC_THRESHOLD,
          READY_TIMEOUT,
          NODE_STEP,
          ATTACH_WEIGHT,
          DETACH_WEIGHT,
          RUN,
          SETTLE_MARGIN,
          BREAKER_FAILURES);

  private PolicySettings() {}

  /** All settings, in the order of the documentation. */
  public static List<Setting<?>> all() {
    return ALL;
  }

  /** The setting of that key; empty when there is none. */
  public static Optional<Setting<?>> find(String key) {
    return ALL.stream().filter(setting -> setting.key().equals(key)).findFirst();
  }

  /**
   * The policy that layers of settings amount to.
   *
   * <p>Total: a value that cannot be read is passed over in favour of the next layer. That happens
   * only when a newer version of Berth has checked it, while versions are mixed.
   *
   * @param layers settings by key, the narrowest first
   */
  static Policy resolve(List<Map<String, String>> layers) {
    return new Policy(
        value(LANE, layers),
        value(RPC_TIMEOUT, layers),
        new Policy.Backoff(
            value(BACKOFF_FIRST, layers),
            value(BACKOFF_FACTOR, layers),
            value(BACKOFF_MAX, layers),
            value(BACKOFF_JITTER, layers)),
        value(MAX_ATTEMPTS, layers),
        value(NODE_LOSS, layers),
        value(UNPUBLISH_NOT_FOUND, layers),
        new Policy.Collection(value(GC_INTERVAL, layers), value(GC_THRESHOLD, layers)),
        new Policy.Collection(
            value(PLUGIN_GC_INTERVAL, layers), value(PLUGIN_GC_THRESHOLD, layers)),
        value(READY_TIMEOUT, layers),
        value(NODE_STEP, layers),
        new Policy.Weights(value(ATTACH_WEIGHT, layers), value(DETACH_WEIGHT, layers)),
        value(RUN, layers),
        value(SETTLE_MARGIN, layers),
        value(BREAKER_FAILURES, layers));
  }

  private static <T> T value(Setting<T> setting, List<Map<String, String>> layers) {
    for (Map<String, String> layer : layers) {
      String text = layer.get(setting.key());
      Optional<T> value = text == null ? Optional.empty() : setting.read(text);
      if (value.isPresent()) {
        return value.get();
      }
    }
    return setting.defaultValue();
  }
}
