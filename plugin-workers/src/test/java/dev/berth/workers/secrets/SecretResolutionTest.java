package dev.berth.workers.secrets;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Call;
import dev.berth.records.NotSentReason;
import dev.berth.workers.secrets.SecretResolution.Refused;
import dev.berth.workers.secrets.SecretResolution.Resolved;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretResolutionTest {

  private static final Map<String, String> VALUES =
      Map.of(
          "${kv:vol-1:user}", "anna", "${kv:vol-1:token}", "hush-4711", "${env:FLAGS}", "sec=x9");

  private final SecretSource source =
      reference -> {
        String value = VALUES.get(reference.text());
        return value == null
            ? new SecretSource.Lookup.Missing("there is no such key")
            : new SecretSource.Lookup.Found(value);
      };

  @Test
  void referencesAreReplacedByTheirValues() {
    Resolved resolved =
        resolved(
            call()
                .setSecrets(Map.of("user", "${kv:vol-1:user}", "token", "${kv:vol-1:token}"))
                .setMountFlags(List.of("noatime", "${env:FLAGS}"))
                .build());

    assertThat(resolved.secrets()).isEqualTo(Map.of("user", "anna", "token", "hush-4711"));
    assertThat(resolved.mountFlags()).isEqualTo(List.of("noatime", "sec=x9"));
    assertThat(resolved.redaction().text("anna hush-4711 sec=x9 noatime"))
        .isEqualTo("[redacted] [redacted] [redacted] noatime");
  }

  @Test
  void aReferenceMayStandWithinAText() {
    Resolved resolved =
        resolved(call().setSecrets(Map.of("login", "${kv:vol-1:user}:${kv:vol-1:token}")).build());

    assertThat(resolved.secrets()).isEqualTo(Map.of("login", "anna:hush-4711"));
  }

  @Test
  void aReferenceThatLeadsNowhereIsNamed() {
    assertThat(
            SecretResolution.of(
                call()
                    .setSecrets(Map.of("token", "${kv:vol-1:gone}"))
                    .setMountFlags(List.of("${env:NONE}"))
                    .build(),
                source))
        .isEqualTo(
            new Refused(
                NotSentReason.SECRET_UNAVAILABLE,
                "${kv:vol-1:gone}: there is no such key; ${env:NONE}: there is no such key",
                List.of(
                    new SecretReference("${kv:vol-1:gone}", "kv", "vol-1", "gone"),
                    new SecretReference("${env:NONE}", "env", "", "NONE"))));
  }

  @Test
  void aPlainValueIsRefusedWithoutRepeatingIt() {
    assertThat(SecretResolution.of(call().setSecrets(Map.of("token", "hush-4711")).build(), source))
        .isEqualTo(
            new Refused(
                NotSentReason.INVALID,
                "secret 'token' is not a reference: register the volume with one, like"
                    + " ${file:/path:key}; values do not belong in topics",
                List.of()));
  }

  @Test
  void valuesAreNeverPrinted() {
    Resolved resolved = resolved(call().setSecrets(Map.of("token", "${kv:vol-1:token}")).build());

    assertThat(resolved.toString() + resolved.redaction() + source.find(reference()))
        .doesNotContain("hush-4711");
  }

  private static SecretReference reference() {
    return new SecretReference("${kv:vol-1:token}", "kv", "vol-1", "token");
  }

  private Resolved resolved(Call call) {
    SecretResolution resolution = SecretResolution.of(call, source);
    assertThat(resolution).isInstanceOf(Resolved.class);
    return (Resolved) resolution;
  }
}
