package dev.berth.streams.query.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The callers of a file")
class CallersFileTest {
  @TempDir private Path directory;
  private Path file;
  private Instant now = Instant.parse("2030-01-01T00:00:00Z");

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("callers.properties");
    Files.writeString(file, caller("a"));
  }

  @Test
  @DisplayName("are read anew when it has changed, once a second at most")
  void changed() throws IOException {
    CallersFile callers = new CallersFile(file, () -> now);
    Files.writeString(file, caller("b"));

    assertThat(callers.get().byCertificate("b")).isEmpty();
    now = now.plusSeconds(1);
    assertThat(callers.get().byCertificate("b")).isPresent();
    assertThat(callers.get().byCertificate("a")).isEmpty();
  }

  @Test
  @DisplayName("stay as they were while it cannot be used, and follow it when it can")
  void unusable() throws IOException {
    CallersFile callers = new CallersFile(file, () -> now);

    Files.writeString(file, "b.certificate=b\n");
    now = now.plusSeconds(1);
    assertThat(callers.get().byCertificate("a")).isPresent();

    Files.delete(file);
    now = now.plusSeconds(1);
    assertThat(callers.get().byCertificate("a")).isPresent();

    Files.writeString(file, caller("b"));
    now = now.minusSeconds(3600);
    assertThat(callers.get().byCertificate("a")).as("though the clock was set back").isEmpty();
  }

  @Test
  @DisplayName("must be there and usable at the start")
  void atTheStart() throws IOException {
    Path none = directory.resolve("none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CallersFile(none, () -> now))
        .withMessage("api.tokens=%s: there is no such file; correct the path".formatted(none));

    Files.writeString(file, "a.certificate=a\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CallersFile(file, () -> now))
        .withMessage(
            "api.tokens=%s: a.roles is missing: write read, operate or admin".formatted(file));
  }

  private static String caller(String name) {
    return "%1$s.certificate=%1$s\n%1$s.roles=read\n%1$s.namespaces=*\n".formatted(name);
  }
}
