package dev.berth.ops.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.policy.PublishedPolicies.InForce;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.PolicySettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The policies that are published")
class PublishedPoliciesTest {
  private static final PublishedPolicies POLICIES =
      new PublishedPolicies(
          List.of(
              named("default", Map.of("max-attempts", "5", "node-loss", "hold")),
              named("plugin/ebs", Map.of("max-attempts", "4", "rpc-timeout", "5m")),
              named("plugin/gce", Map.of("max-attempts", "0")),
              named("volume/prod/db", Map.of("rpc-timeout", "1m"))));

  @Test
  @DisplayName("hold key by key, the narrower over the wider, and say where each value is from")
  void layers() {
    List<InForce> inForce = POLICIES.inForce("volume/prod/db", Optional.of("ebs"));

    assertThat(inForce)
        .hasSameSizeAs(PolicySettings.all())
        .contains(
            new InForce("rpc-timeout", "1m", "volume/prod/db"),
            new InForce("max-attempts", "4", "plugin/ebs"),
            new InForce("node-loss", "hold", "default"),
            new InForce("run", "0", "built in"));
    assertThat(POLICIES.inForce("volume/prod/db", Optional.empty()))
        .contains(new InForce("max-attempts", "5", "default"));
  }

  @ParameterizedTest
  @CsvSource({"default, 5", "plugin/ebs, 4", "plugin/other, 5", "volume/prod/db, 4"})
  @DisplayName("amount to the policy that Berth itself makes of them")
  void resolved(String name, int attempts) {
    assertThat(POLICIES.resolved(name, Optional.of("ebs")).maxAttempts()).isEqualTo(attempts);
  }

  @Test
  @DisplayName("are not in force with a problem, which is named with key, value and range")
  void rejected() {
    assertThat(POLICIES.problems("plugin/gce"))
        .containsExactly(
            "policy 'plugin/gce', max-attempts = '0': it is not a whole number from 1 to 1000; write"
                + " for example 8");
    assertThat(POLICIES.inForce("plugin/gce", Optional.empty()))
        .contains(new InForce("max-attempts", "5", "default"));
  }

  @Test
  @DisplayName("put data at risk where Berth would take more for granted than before")
  void risks() {
    assertThat(risk("node-loss", "detach"))
        .singleElement()
        .asString()
        .startsWith("node-loss=detach");
    assertThat(risk("node-loss", "stop-on-disconnect")).isEmpty();
    assertThat(risk("node-step", "worker"))
        .singleElement()
        .asString()
        .startsWith("node-step=worker");
    assertThat(risk("rpc-timeout", "1s")).isEmpty();
    PublishedPolicies lies =
        POLICIES.with(named("volume/prod/db", Map.of("unpublish-not-found", "retry")));
    assertThat(
            PolicyRisks.between(
                lies.resolved("volume/prod/db", Optional.of("ebs")),
                lies.without("volume/prod/db").resolved("volume/prod/db", Optional.of("ebs"))))
        .singleElement()
        .asString()
        .startsWith("unpublish-not-found=released");
  }

  private static List<String> risk(String key, String value) {
    PublishedPolicies after = POLICIES.with(named("plugin/ebs", Map.of(key, value)));
    return PolicyRisks.between(
        POLICIES.resolved("plugin/ebs", Optional.empty()),
        after.resolved("plugin/ebs", Optional.empty()));
  }

  private static NamedPolicy named(String name, Map<String, String> settings) {
    return new NamedPolicy(name, settings, "ann", "", Instant.EPOCH);
  }
}
