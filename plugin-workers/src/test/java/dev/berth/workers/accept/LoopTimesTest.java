package dev.berth.workers.accept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workers.ManualClocks;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whether a loop may still speak of what it polls as its own. */
class LoopTimesTest {

  private final ManualClocks clocks = new ManualClocks();
  private final LoopTimes times = new LoopTimes(clocks);

  @Test
  void aLoopThatPollsIsSure() {
    times.joins();
    clocks.advance(Duration.ofSeconds(40));
    times.polled();
    assertThat(times.isSure()).as("after a long way into the group").isTrue();

    clocks.advance(Duration.ofSeconds(6));

    assertThat(times.isSure()).isTrue();
  }

  @Test
  void afterAStandstillOfASessionItIsNotSureUntilHeartbeatsHadTheirTime() {
    times.joins();
    times.polled();
    clocks.advance(Duration.ofSeconds(7));
    assertThat(times.isSure()).as("before the next poll").isFalse();

    times.polled();
    assertThat(times.isSure()).as("after it").isFalse();

    for (int i = 0; i < 7; i++) {
      clocks.advance(Duration.ofSeconds(1));
      times.polled();
    }
    assertThat(times.isSure()).isTrue();
  }

  @Test
  void whatItIsGivenWhenItJoinsAnewIsItsOwn() {
    times.joins();
    times.polled();
    clocks.advance(Duration.ofSeconds(20));

    times.joins();
    times.polled();

    assertThat(times.isSure()).isTrue();
  }

  @Test
  void aLoopThatTriesInVainComesRoundAllTheSame() {
    times.polled();
    clocks.advance(Duration.ofSeconds(50));

    times.cameRound();

    assertThat(times.sinceRound()).isZero();
    assertThat(times.sincePoll()).isEqualTo(Duration.ofSeconds(50));
  }
}
