package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Settings")
class SettingSourcesTest {
  @TempDir private Path directory;

  @Test
  @DisplayName("of a flag win over those of the environment, and these over those of the file")
  void precedence() throws IOException {
    Path file = directory.resolve("streams.properties");
    Files.writeString(file, "threads=1\nhealth.port=1\ntopic.prefix=file\n");

    assertThat(
            SettingSources.read(
                List.of("--threads=3", "--config", file.toString()),
                Map.of("BERTH_THREADS", "2", "BERTH_HEALTH_PORT", "2", "PATH", "/bin")))
        .isEqualTo(Map.of("threads", "3", "health.port", "2", "topic.prefix", "file"));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "BERTH_BOOTSTRAP_SERVERS, bootstrap.servers",
    "BERTH_SCHEMA_REGISTRY_URL, schema.registry.url",
    "BERTH_AUTO_REGISTER_SCHEMAS, auto.register.schemas",
    "BERTH_POLICY_DEFAULT_RPC_TIMEOUT, policy.default.rpc-timeout",
    "BERTH_POLICY_DEFAULT_BACKOFF_FIRST, policy.default.backoff.first",
    "BERTH_KAFKA_SASL_JAAS_CONFIG, kafka.sasl.jaas.config",
    "BERTH_TREADS, BERTH_TREADS"
  })
  @DisplayName("of the environment are the keys in capitals; an unknown one keeps its name")
  void variables(String variable, String key) {
    assertThat(SettingSources.read(List.of(), Map.of(variable, "v"))).isEqualTo(Map.of(key, "v"));
  }

  @Test
  @DisplayName("may hold an equals sign in their value")
  void equalsSign() {
    assertThat(SettingSources.read(List.of("--kafka.sasl.jaas.config=a=b"), Map.of()))
        .isEqualTo(Map.of("kafka.sasl.jaas.config", "a=b"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "threads=2 | argument 'threads=2' is no setting: write --key=value, or --config FILE",
        "--threads | argument '--threads' is no setting: write --key=value, or --config FILE",
        "--=2 | argument '--=2' is no setting: write --key=value, or --config FILE",
        "--config | --config lacks its file: write --config FILE",
        "--config=/no/such | --config /no/such: there is no such file"
      })
  @DisplayName("are refused when they are none")
  void refused(String argument, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SettingSources.read(List.of(argument), Map.of()))
        .withMessage(message);
  }
}
