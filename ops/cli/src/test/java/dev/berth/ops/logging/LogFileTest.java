package dev.berth.ops.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class LogFileTest {

  @TempDir private Path temp;

  @Test
  @DisplayName("a warning of every ordinary start is left out, another one of its logger is not")
  void ordinaryWarnings() {
    Path file = temp.resolve("berth.log");
    LogFile.open(file, false);
    try {
      Logger logger = LoggerFactory.getLogger("org.apache.kafka.streams.StreamsConfig");
      logger.warn("Processing exception handler is not enabled for the GlobalThread. Set it.");
      logger.warn("something else");
    } finally {
      LogFile.silence();
    }
    assertThat(file).content().contains("something else").doesNotContain("GlobalThread");
  }
}
