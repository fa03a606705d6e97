package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WaitsTest {

  @Test
  @DisplayName(
      "percentiles are waits that occurred, and the ten longest are named, the longest first")
  void percentiles() {
    List<ClaimStory> stories =
        IntStream.rangeClosed(1, 200).mapToObj(seconds -> granted(seconds)).toList();
    Waits waits = Waits.of(stories);
    assertThat(waits)
        .isEqualTo(
            new Waits(
                0,
                Duration.ofSeconds(100),
                Duration.ofSeconds(198),
                Duration.ofSeconds(200),
                IntStream.range(0, 10).mapToObj(i -> granted(200 - i)).toList()));
  }

  @Test
  @DisplayName("claims that were not granted wait for nothing here, but count when told to wait")
  void notGranted() {
    ClaimStory told =
        new ClaimStory(
            DemoResults.CLAIM,
            Instant.EPOCH,
            Optional.of("held by x"),
            Answer.NONE,
            "",
            Optional.empty(),
            0,
            0);
    assertThat(Waits.of(List.of(told)))
        .isEqualTo(new Waits(1, Duration.ZERO, Duration.ZERO, Duration.ZERO, List.of()));
  }

  private static ClaimStory granted(int seconds) {
    return new ClaimStory(
        new ClaimId("pod-" + seconds, "ebs-001"),
        Instant.EPOCH,
        Optional.empty(),
        Answer.GRANTED,
        "",
        Optional.of(Instant.EPOCH.plusSeconds(seconds)),
        1,
        1);
  }
}
