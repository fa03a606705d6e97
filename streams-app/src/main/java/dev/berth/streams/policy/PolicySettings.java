package dev.berth.streams.policy;

import java.time.Duration;
import java.util.Map;

/** Reads {@link Policy} from settings by name and key. */
final class PolicySettings {
  private static final Policy DEFAULT =
      new Policy(
          Policy.LaneScope.PLUGIN,
          Duration.ofMinutes(2),
          new Policy.Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.2),
          8,
          Policy.NodeLoss.STOP_ON_DISCONNECT,
          Policy.UnpublishNotFound.RELEASED,
          new Policy.Collection(Duration.ofMinutes(5), Duration.ofMinutes(5)),
          new Policy.Collection(Duration.ofMinutes(5), Duration.ofHours(1)),
          Duration.ofHours(24),
          Policy.NodeStepBy.CLIENT,
          new Policy.Weights(1, 1),
          0,
          Duration.ofSeconds(5),
          5);

  private PolicySettings() {}

  static Policy read(Map<String, Map<String, String>> settings, String plugin, String volumeKey) {
    return DEFAULT;
  }
}
