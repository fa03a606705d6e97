package dev.berth.workers.secrets;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MissingSecretsTest {
  private final Map<String, String> values = new HashMap<>();
  private final MissingSecrets missing =
      new MissingSecrets(
          reference -> {
            String value = values.get(reference.key());
            return value == null
                ? new SecretSource.Lookup.Missing("there is no such key")
                : new SecretSource.Lookup.Found(value);
          });

  private static SecretReference reference(String key) {
    return new SecretReference("${kv:" + key + "}", "kv", "", key);
  }

  @Test
  void whatIsThereIsToldOnceToThePluginsThatMissedIt() {
    missing.missed("ebs", List.of(reference("b"), reference("a")), AT_NOON);
    missing.missed("gce", List.of(reference("a"), reference("c")), AT_NOON);
    Map<String, List<String>> before = missing.found(AT_NOON);
    values.put("a", "1");
    values.put("b", "2");

    assertThat(before).isEmpty();
    assertThat(missing.found(AT_NOON))
        .isEqualTo(Map.of("ebs", List.of("${kv:a}", "${kv:b}"), "gce", List.of("${kv:a}")));
    assertThat(missing.found(AT_NOON)).isEmpty();
  }

  @Test
  void whatNoCallHasAskedForInAnHourIsForgotten() {
    missing.missed("ebs", List.of(reference("gone"), reference("wanted")), AT_NOON);
    missing.missed("ebs", List.of(reference("wanted")), later(Duration.ofMinutes(59)));
    missing.found(later(Duration.ofMinutes(61)));
    values.put("gone", "1");
    values.put("wanted", "2");

    assertThat(missing.found(later(Duration.ofMinutes(62))))
        .isEqualTo(Map.of("ebs", List.of("${kv:wanted}")));
  }

  private static Moment later(Duration by) {
    return new Moment(AT_NOON.nanos() + by.toNanos(), AT_NOON.wall().plus(by));
  }

  @Test
  void whatWasNotMissedIsNotLookedFor() {
    values.put("a", "1");

    assertThat(missing.found(AT_NOON)).isEmpty();
  }
}
