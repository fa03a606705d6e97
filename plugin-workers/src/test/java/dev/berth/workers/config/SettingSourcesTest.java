package dev.berth.workers.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingSourcesTest {

  @TempDir Path directory;

  @Test
  void variablesWinOverTheFileAndFlagsOverBoth() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("w.properties"), "worker.id=f\ntopic.prefix=f\nmount.root=/f\n");

    assertThat(
            SettingSources.read(
                Optional.of(file),
                Map.of("BERTH_TOPIC_PREFIX", "v", "BERTH_MOUNT_ROOT", "/v", "HOME", "/root"),
                Map.of("mount.root", "/flag")))
        .isEqualTo(Map.of("worker.id", "f", "topic.prefix", "v", "mount.root", "/flag"));
  }

  @Test
  void variablesNameWhatIsHandedOn() {
    assertThat(
            SettingSources.read(
                Optional.empty(),
                Map.of(
                    "BERTH_SCHEMA_REGISTRY_URL", "http://r:8081",
                    "BERTH_KAFKA_SECURITY_PROTOCOL", "SSL",
                    "BERTH_CONFIG_PROVIDERS", "file"),
                Map.of()))
        .isEqualTo(
            Map.of(
                "schema.registry.url", "http://r:8081",
                "kafka.security.protocol", "SSL",
                "config.providers", "file"));
  }

  @Test
  void aVariableThatNamesNoSettingKeepsItsNameSoThatItIsRefusedUnderIt() {
    assertThat(SettingSources.read(Optional.empty(), Map.of("BERTH_WORKER_NAME", "w1"), Map.of()))
        .isEqualTo(Map.of("BERTH_WORKER_NAME", "w1"));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    Path none = directory.resolve("none");
    assertThatThrownBy(() -> SettingSources.properties(none))
        .hasMessage("there is no file " + none);
    Path broken = Files.writeString(directory.resolve("broken"), "a=\\u12");
    assertThatThrownBy(() -> SettingSources.properties(broken))
        .hasMessageStartingWith(broken + " cannot be read: ");
  }
}
