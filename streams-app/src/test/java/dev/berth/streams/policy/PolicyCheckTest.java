package dev.berth.streams.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The check of a policy")
class PolicyCheckTest {

  @Test
  @DisplayName("finds nothing wrong with the defaults, written out")
  void defaults() {
    Map<String, String> written =
        PolicySettings.all().stream().collect(Collectors.toMap(Setting::key, Setting::byDefault));

    assertThat(PolicyCheck.problems(policy("default", written))).isEmpty();
  }

  @Test
  @DisplayName("names policy, key, value, range and remedy")
  void problem() {
    assertThat(PolicyCheck.problems(policy("plugin/ebs", Map.of("rpc-timeout", "5 minutes"))))
        .containsExactly(
            new PolicyProblem(
                "plugin/ebs",
                "rpc-timeout",
                "5 minutes",
                "it is not a duration from 100ms to 1h",
                "write for example 2m"))
        .extracting(PolicyProblem::text)
        .containsExactly(
            "policy 'plugin/ebs', rpc-timeout = '5 minutes': it is not a duration from 100ms to"
                + " 1h; write for example 2m");
  }

  @Test
  @DisplayName("lists every problem of a policy, by key")
  void allProblems() {
    assertThat(
            PolicyCheck.problems(
                policy("default", Map.of("run", "33", "backoff.jitter", "NaN", "colour", "blue"))))
        .extracting(PolicyProblem::key)
        .containsExactly("backoff.jitter", "colour", "run");
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource({
    "lane, pool, 'one of plugin, node, volume, volume-node'",
    "lane, VOLUME_NODE, 'one of plugin, node, volume, volume-node'",
    "rpc-timeout, 0s, a duration from 100ms to 1h",
    "backoff.factor, 0.5, a number from 1 to 100",
    "backoff.factor, Infinity, a number from 1 to 100",
    "backoff.jitter, 1.1, a number from 0 to 1",
    "max-attempts, 0, a whole number from 1 to 1000",
    "max-attempts, 2.5, a whole number from 1 to 1000",
    "node-loss, ignore, 'one of stop-on-disconnect, hold, detach'",
    "gc.interval, 0s, a duration from 1s to 24h",
    "weights.attach, 0, a whole number from 1 to 100",
    "run, -1, a whole number from 0 to 32"
  })
  @DisplayName("refuses values out of range")
  void ranges(String key, String value, String allowed) {
    assertThat(PolicyCheck.problems(policy("default", Map.of(key, value))))
        .extracting(PolicyProblem::wrong)
        .containsExactly("it is not " + allowed);
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource({
    "gc.interval, plugin/ebs, default",
    "plugin-gc.interval, volume/a/b, default",
    "plugin-gc.threshold, volume/a/b, plugin/<id>",
    "lane, volume/a/b, plugin/<id>",
    "weights.detach, volume/a/b, plugin/<id>"
  })
  @DisplayName("refuses a key in a policy narrower than what it decides")
  void scopes(String key, String name, String remedy) {
    String value = PolicySettings.find(key).orElseThrow().byDefault();

    assertThat(PolicyCheck.problems(policy(name, Map.of(key, value))))
        .containsExactly(
            new PolicyProblem(
                name, key, value, "it cannot be set that narrowly", "set it in " + remedy));
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        "Default",
        "ebs",
        "plugin/",
        "plugin/a/b",
        "volume/a",
        "volume/a/b/c",
        "volume//b"
      })
  @DisplayName("refuses names that no policy can have")
  void names(String name) {
    assertThat(PolicyCheck.problems(policy(name, Map.of())))
        .containsExactly(
            new PolicyProblem(
                name,
                "",
                "",
                "no policy can have that name",
                "name it default, plugin/<id> or volume/<namespace>/<volume>"));
  }

  @Test
  @DisplayName("refuses a first wait beyond the longest")
  void firstBeyondLongest() {
    List<PolicyProblem> problems =
        PolicyCheck.problems(
            policy("default", Map.of("backoff.first", "2m", "backoff.max", "90s")));

    assertThat(problems)
        .containsExactly(
            new PolicyProblem(
                "default",
                "backoff.first",
                "2m",
                "it is longer than backoff.max = '90s'",
                "set backoff.first to 90s or less"));
  }

  private static NamedPolicy policy(String name, Map<String, String> settings) {
    return new NamedPolicy(name, settings, "ops", "because", Instant.EPOCH);
  }
}
