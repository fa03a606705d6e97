package dev.berth.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.load.Latencies;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReplyStepsTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

  private final Map<Step, Latencies> found = new EnumMap<>(Step.class);

  @Test
  @DisplayName("each step counts from the one before it that is known")
  void steps() {
    ReplySteps.note(
        new StepTimes(
            Map.of(
                Step.EVENT, NOON,
                Step.DECIDED, NOON.plusMillis(10),
                Step.RPC_STARTED, NOON.plusMillis(25),
                Step.WRITTEN, NOON.plusMillis(24))),
        found);

    assertThat(found).containsOnlyKeys(Step.DECIDED, Step.RPC_STARTED, Step.WRITTEN);
    assertThat(found.get(Step.DECIDED).longest()).isBetween(millis(10), millis(11));
    assertThat(found.get(Step.RPC_STARTED).longest()).isBetween(millis(15), millis(16));
    // Clocks of two processes may differ.
    assertThat(found.get(Step.WRITTEN).longest()).isLessThan(millis(1));
  }

  @Test
  @DisplayName("a reply without a call tells nothing of the way")
  void noCall() {
    ReplySteps.note(
        new StepTimes(Map.of(Step.EVENT, NOON, Step.WRITTEN, NOON.plusMillis(5))), found);

    assertThat(found).isEmpty();
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }
}
