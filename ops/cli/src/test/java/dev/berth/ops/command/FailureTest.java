package dev.berth.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailureTest {

  @Test
  @DisplayName("a failure is told with its causes, and without the names of classes")
  void causes() {
    Throwable failure =
        new CompletionException(
            new UncheckedIOException(
                "data cannot be used", new AccessDeniedException("/proc/data")));
    assertThat(Failure.describe(failure))
        .isEqualTo("data cannot be used: /proc/data: permission denied");
  }

  @Test
  @DisplayName("a missing file is called that")
  void missingFile() {
    assertThat(Failure.describe(new UncheckedIOException(new NoSuchFileException("a.properties"))))
        .isEqualTo("a.properties: no such file or directory");
  }

  @Test
  @DisplayName(
      "a class within a message is left out, and a failure without message is put in words")
  void names() {
    assertThat(Failure.describe(new IOException("broker: java.net.SocketException: refused")))
        .isEqualTo("broker: refused");
    assertThat(Failure.describe(new TimeoutException())).isEqualTo("timeout");
  }
}
