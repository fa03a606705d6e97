package dev.berth.ops.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong now = new AtomicLong();

  @Test
  @DisplayName("a file gets a line per step and one of a count every five seconds")
  void file() {
    try (Progress progress = new Progress(terminal(false), now::get)) {
      progress.step("starting");
      progress.step("allocs", 10);
      progress.at(1);
      now.addAndGet(Duration.ofSeconds(5).toNanos());
      progress.at(5);
      progress.at(6);
    }
    assertThat(written()).isEqualTo("starting\n10 allocs\n5/10 allocs  5 s, about 5 s left\n");
  }

  @Test
  @DisplayName("a count may say more as it goes on")
  void words() {
    try (Progress progress = new Progress(terminal(false), now::get)) {
      progress.step("seconds", 30);
      now.addAndGet(Duration.ofSeconds(5).toNanos());
      progress.at(5, "seconds: 12 states");
    }
    assertThat(written()).isEqualTo("30 seconds\n5/30 seconds: 12 states  5 s, about 25 s left\n");
  }

  @Test
  @DisplayName("a terminal gets one line that is taken away at the end")
  void terminal() {
    try (Progress progress = new Progress(terminal(true), now::get)) {
      progress.step("starting");
    }
    assertThat(written()).startsWith("\r\u001b[Kstarting  0 s").endsWith("\r\u001b[K");
  }

  private Terminal terminal(boolean live) {
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new Terminal(stream, stream, false, live, 80);
  }

  private String written() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
