package dev.berth.workers.call;

import static dev.berth.workers.WorkFixtures.AT_NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NotSentReason;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.time.TimeAllowed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LastCheckTest {

  private final ManualClocks clocks = new ManualClocks();
  private final TimeAllowed time = new TimeAllowed(AT_NOON, Duration.ofSeconds(2));

  @Test
  void aCallIsSentWhileTimeIsLeft() {
    clocks.advance(Duration.ofMillis(1_999));

    assertThat(LastCheck.refusal(time, clocks.read())).isEmpty();
  }

  @Test
  void aCallIsNotSentOnceTheTimeAllowedHasPassed() {
    clocks.advance(Duration.ofSeconds(2));

    assertThat(LastCheck.refusal(time, clocks.read()))
        .contains(
            new CallResult.NotSent(
                NotSentReason.TIME_PASSED,
                "the 2000 ms allowed passed 0 ms before the call could be sent"));
  }

  @Test
  void aCallIsNotSentByAProcessThatWasSuspended() {
    clocks.advanceWall(Duration.ofSeconds(60));

    assertThat(LastCheck.refusal(time, clocks.read()))
        .contains(
            new CallResult.NotSent(
                NotSentReason.TIME_PASSED,
                "the 2000 ms allowed passed 58000 ms before the call could be sent"));
  }

  @Test
  void aSendIsLateFromTheMomentAtWhichNothingIsLeft() {
    clocks.advance(Duration.ofMillis(1_999));
    assertThat(LastCheck.lateness(time, clocks.read())).isEmpty();

    clocks.advance(Duration.ofMillis(1));
    assertThat(LastCheck.lateness(time, clocks.read())).contains(Duration.ZERO);

    clocks.advance(Duration.ofSeconds(3));
    assertThat(LastCheck.lateness(time, clocks.read())).contains(Duration.ofSeconds(3));
  }
}
