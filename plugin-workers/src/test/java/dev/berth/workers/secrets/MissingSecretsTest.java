package dev.berth.workers.secrets;

import static org.assertj.core.api.Assertions.assertThat;

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
    missing.missed("ebs", List.of(reference("b"), reference("a")));
    missing.missed("gce", List.of(reference("a"), reference("c")));
    Map<String, List<String>> before = missing.found();
    values.put("a", "1");
    values.put("b", "2");

    assertThat(before).isEmpty();
    assertThat(missing.found())
        .isEqualTo(Map.of("ebs", List.of("${kv:a}", "${kv:b}"), "gce", List.of("${kv:a}")));
    assertThat(missing.found()).isEmpty();
  }

  @Test
  void whatWasNotMissedIsNotLookedFor() {
    values.put("a", "1");

    assertThat(missing.found()).isEmpty();
  }
}
