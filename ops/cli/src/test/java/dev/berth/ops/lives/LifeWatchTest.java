package dev.berth.ops.lives;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LifeWatchTest {

  private static final Duration LATER = Duration.ofMillis(300);
  private static final KillPoint HALFWAY = new KillPoint.AtProgress(0.5, LATER);
  private static final KillPoint OLD = new KillPoint.AtAge(Duration.ofSeconds(12));
  private static final Duration YOUNG = Duration.ofSeconds(7);

  private final PrintStream nowhere =
      new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
  private final Progress progress = new Progress(Terminal.plain(nowhere, nowhere), () -> 0);
  private final LifeWatch watch = new LifeWatch(1, progress);

  @AfterEach
  void close() {
    progress.close();
  }

  @Test
  @DisplayName("a kill by progress comes some time after its share of the work is done")
  void progress() {
    tell(new LifeSignal.Step("starting", 0));
    assertThat(isDue(HALFWAY, 0)).isFalse();
    tell(new LifeSignal.Step("working", 10));
    tell(new LifeSignal.Progressed(4));
    assertThat(isDue(HALFWAY, 1_000)).isFalse();
    tell(new LifeSignal.Progressed(5));
    assertThat(isDue(HALFWAY, 2_000)).isFalse();
    assertThat(isDue(HALFWAY, 2_299)).isFalse();
    assertThat(isDue(HALFWAY, 2_300)).isTrue();
    assertThat(watch.kill(Instant.EPOCH)).isEqualTo(new Life.Kill(Instant.EPOCH, "working", 5, 10));
  }

  @Test
  @DisplayName("a kill by age comes at that age, whatever goes on")
  void age() {
    tell(new LifeSignal.Step("starting", 0));
    assertThat(watch.isDue(OLD, Duration.ofSeconds(12).minusMillis(1), Instant.EPOCH)).isFalse();
    assertThat(watch.isDue(OLD, Duration.ofSeconds(12), Instant.EPOCH)).isTrue();
  }

  @Test
  @DisplayName("a kill whose point was not reached comes when the work is over")
  void workOver() {
    tell(new LifeSignal.Step("starting", 0));
    tell(new LifeSignal.Step("working", 10));
    assertThat(isDue(OLD, 0)).isFalse();
    assertThat(isDue(HALFWAY, 0)).isFalse();
    tell(new LifeSignal.Step("checking", 0));
    assertThat(isDue(OLD, 1_000)).isTrue();
    assertThat(isDue(HALFWAY, 1_000)).isFalse();
    assertThat(isDue(HALFWAY, 1_300)).isTrue();
  }

  private boolean isDue(KillPoint point, long millis) {
    return watch.isDue(point, YOUNG, Instant.ofEpochMilli(millis));
  }

  private void tell(LifeSignal signal) {
    watch.line(signal.line());
  }
}
