package dev.berth.streams.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The policy in force")
class PoliciesTest {
  private static final Policy PRODUCT =
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

  @Test
  @DisplayName("is the product's default while nothing is published")
  void productDefaults() {
    assertThat(Policies.DEFAULTS.of("ebs", "default/v1")).isEqualTo(PRODUCT);
  }

  @Test
  @DisplayName("takes every key from a policy that sets every key")
  void everyKey() {
    Policies policies =
        new Policies(
            1,
            Map.of(
                "default",
                Map.ofEntries(
                    Map.entry("lane", "volume-node"),
                    Map.entry("rpc-timeout", "15s"),
                    Map.entry("backoff.first", "500ms"),
                    Map.entry("backoff.factor", "1.5"),
                    Map.entry("backoff.max", "1h30m"),
                    Map.entry("backoff.jitter", "0"),
                    Map.entry("max-attempts", "3"),
                    Map.entry("node-loss", "hold"),
                    Map.entry("unpublish-not-found", "retry"),
                    Map.entry("gc.interval", "1m"),
                    Map.entry("gc.threshold", "0s"),
                    Map.entry("plugin-gc.interval", "2m"),
                    Map.entry("plugin-gc.threshold", "3m"),
                    Map.entry("ready-timeout", "4m"),
                    Map.entry("node-step", "worker"),
                    Map.entry("weights.attach", "3"),
                    Map.entry("weights.detach", "2"),
                    Map.entry("run", "4"),
                    Map.entry("settle-margin", "0s"),
                    Map.entry("breaker-failures", "7"))));

    assertThat(policies.of("ebs", "default/v1"))
        .isEqualTo(
            new Policy(
                Policy.LaneScope.VOLUME_NODE,
                Duration.ofSeconds(15),
                new Policy.Backoff(Duration.ofMillis(500), 1.5, Duration.ofMinutes(90), 0),
                3,
                Policy.NodeLoss.HOLD,
                Policy.UnpublishNotFound.RETRY,
                new Policy.Collection(Duration.ofMinutes(1), Duration.ZERO),
                new Policy.Collection(Duration.ofMinutes(2), Duration.ofMinutes(3)),
                Duration.ofMinutes(4),
                Policy.NodeStepBy.WORKER,
                new Policy.Weights(3, 2),
                4,
                Duration.ZERO,
                7));
  }

  @Test
  @DisplayName("is that of the volume before that of the plugin before the default, key by key")
  void narrowerWins() {
    Policies policies =
        new Policies(
            3,
            Map.of(
                "default", Map.of("rpc-timeout", "1m", "max-attempts", "2", "run", "9"),
                "plugin/ebs", Map.of("rpc-timeout", "30s", "max-attempts", "3"),
                "volume/prod/db", Map.of("rpc-timeout", "10s")));

    assertThat(policies.of("ebs", "prod/db"))
        .extracting(Policy::rpcTimeout, Policy::maxAttempts, Policy::run)
        .containsExactly(Duration.ofSeconds(10), 3, 9);
    assertThat(policies.of("ebs", "prod/other"))
        .isEqualTo(policies.ofPlugin("ebs"))
        .extracting(Policy::rpcTimeout, Policy::maxAttempts, Policy::run)
        .containsExactly(Duration.ofSeconds(30), 3, 9);
    assertThat(policies.of("gce", "prod/other"))
        .isEqualTo(policies.byDefault())
        .extracting(Policy::rpcTimeout, Policy::maxAttempts, Policy::run)
        .containsExactly(Duration.ofMinutes(1), 2, 9);
    assertThat(policies.of("gce", "prod/db"))
        .extracting(Policy::rpcTimeout, Policy::maxAttempts, Policy::run)
        .containsExactly(Duration.ofSeconds(10), 2, 9);
  }

  @Test
  @DisplayName("is one instance for all volumes that share it")
  void shared() {
    Policies policies =
        new Policies(
            1, Map.of("plugin/ebs", Map.of("run", "1"), "volume/a/b", Map.of("max-attempts", "1")));

    assertThat(policies.of("ebs", "a/1")).isSameAs(policies.of("ebs", "a/2"));
    assertThat(policies.of("gce", "a/1")).isSameAs(policies.of("nfs", "a/2"));
    assertThat(policies.of("ebs", "a/b")).isSameAs(policies.of("ebs", "a/b"));
  }

  @Test
  @DisplayName("passes over what only a newer version can read")
  void newerValues() {
    Policies policies =
        new Policies(
            1,
            Map.of(
                "default", Map.of("lane", "node"),
                "plugin/ebs", Map.of("lane", "zone", "colour", "blue")));

    assertThat(policies.ofPlugin("ebs").lane()).isEqualTo(Policy.LaneScope.NODE);
  }

  @Test
  @DisplayName("is the same for equal settings of the same version")
  void equality() {
    assertThat(new Policies(2, Map.of("default", Map.of("run", "1"))))
        .isEqualTo(new Policies(2, Map.of("default", Map.of("run", "1"))))
        .hasSameHashCodeAs(new Policies(2, Map.of("default", Map.of("run", "1"))))
        .isNotEqualTo(new Policies(3, Map.of("default", Map.of("run", "1"))))
        .hasToString("Policies[version=2, settings={default={run=1}}]");
  }
}
