package dev.berth.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.slf4j.LoggerFactory;

/**
 * The whole topology under records that are valid and absurd. {@code -Dberth.fuzz.runs=500} runs
 * longer, {@code -Dberth.fuzz.seed=7} begins with that seed.
 */
@DisplayName("Valid records of absurd values")
class FuzzedTopologyTest {
  private static final int RUNS = Integer.getInteger("berth.fuzz.runs", 8);
  private static final long FIRST = Long.getLong("berth.fuzz.seed", 1);

  private final Logger berth = (Logger) LoggerFactory.getLogger("dev.berth");
  private final ListAppender<ILoggingEvent> faults = new ListAppender<>();
  private Level usual = Level.INFO;

  @BeforeEach
  void listenForFaults() {
    usual = berth.getLevel();
    // Thousands of rejections are wanted here; a fault is logged as an error.
    berth.setLevel(Level.ERROR);
    faults.start();
    berth.addAppender(faults);
  }

  @AfterEach
  void stopListening() {
    berth.detachAppender(faults);
    berth.setLevel(usual);
  }

  @TestFactory
  @DisplayName("throw nothing, stop nothing, and are each taken, answered or put aside")
  Stream<DynamicTest> neverStop() {
    return LongStream.range(FIRST, FIRST + RUNS)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> run(seed)));
  }

  private void run(long seed) {
    faults.list.clear();
    try (FuzzedTopology topology = new FuzzedTopology(seed)) {
      topology.run();
    }
    assertThat(faults.list).as("logged as errors").extracting(Object::toString).isEmpty();
  }
}
