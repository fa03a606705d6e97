package dev.berth.workers.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.workers.secrets.SecretSource.Lookup.Found;
import dev.berth.workers.secrets.SecretSource.Lookup.Missing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigProviderSecretsTest {

  @TempDir Path directory;

  @Test
  void aKeyOfAFileIsFoundAndReadAnewForEachCall() throws IOException {
    Path file = Files.writeString(directory.resolve("keys.properties"), "token=hush-4711\n");
    try (ConfigProviderSecrets secrets = ConfigProviderSecrets.of(Map.of())) {
      SecretReference reference = file(file, "token");
      assertThat(secrets.find(reference)).isEqualTo(new Found("hush-4711"));

      Files.writeString(file, "token=rotated\n");

      assertThat(secrets.find(reference)).isEqualTo(new Found("rotated"));
    }
  }

  @Test
  void aKeyThatIsNotThereIsMissing() throws IOException {
    Path file = Files.writeString(directory.resolve("keys.properties"), "token=hush-4711\n");
    try (ConfigProviderSecrets secrets = ConfigProviderSecrets.of(Map.of())) {
      assertThat(secrets.find(file(file, "other"))).isEqualTo(new Missing("there is no such key"));
      assertThat(secrets.find(new SecretReference("${env:BERTH_NO}", "env", "", "BERTH_NO")))
          .isEqualTo(new Missing("there is no such key"));
    }
  }

  @Test
  void aFileThatIsNotThereIsMissing() {
    try (ConfigProviderSecrets secrets = ConfigProviderSecrets.of(Map.of())) {
      assertThat(secrets.find(file(directory.resolve("none"), "token")))
          .isEqualTo(new Missing("it cannot be read (ConfigException)"));
    }
  }

  @Test
  void aProviderThatIsNotConfiguredIsNamed() {
    try (ConfigProviderSecrets secrets =
        ConfigProviderSecrets.of(Map.of("config.providers", "file"))) {
      assertThat(secrets.find(new SecretReference("${vault:a:b}", "vault", "a", "b")))
          .isEqualTo(new Missing("no provider 'vault' is configured, there are [file]"));
    }
  }

  @Test
  void parametersReachTheProvider() throws IOException {
    Path file = Files.writeString(directory.resolve("keys.properties"), "token=hush-4711\n");
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    try (ConfigProviderSecrets secrets =
        ConfigProviderSecrets.of(
            Map.of("config.providers.file.param.allowed.paths", elsewhere.toString()))) {
      assertThat(secrets.find(file(file, "token"))).isEqualTo(new Missing("there is no such key"));
    }
  }

  @Test
  void settingsThatCannotBeUsedAreRefusedByName() {
    assertThatThrownBy(() -> ConfigProviderSecrets.of(Map.of("config.providers", "vault")))
        .hasMessageContaining("config.providers.vault.class is not set");
    assertThatThrownBy(
            () -> ConfigProviderSecrets.of(Map.of("config.providers.file.class", "no.such.Class")))
        .hasMessageContaining("config.providers.file.class=no.such.Class cannot be used");
    assertThatThrownBy(() -> ConfigProviderSecrets.of(Map.of("config.providers.fiel.class", "x")))
        .hasMessageContaining("config.providers.fiel.class belongs to no provider");
  }

  private static SecretReference file(Path file, String key) {
    return new SecretReference("${file:" + file + ":" + key + "}", "file", file.toString(), key);
  }
}
