package dev.berth.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OpenLoadTest {
  private final VirtualPacer pacer = new VirtualPacer();
  private final List<String> sent = new ArrayList<>();

  /** Time that passes only when somebody waits or works. */
  private static final class VirtualPacer implements Pacer {
    private long now = 5_000_000_000L;

    @Override
    public long now() {
      return now;
    }

    @Override
    public void until(long nanos) {
      now = Math.max(now, nanos);
    }

    void work(Duration time) {
      now += time.toNanos();
    }
  }

  @Test
  @DisplayName("requests go out when they are due")
  void onTime() throws InterruptedException {
    Duration late =
        new OpenLoad(4, 3)
            .run(pacer, (number, due) -> sent.add(number + "@" + millis(pacer.now())));

    assertThat(sent).containsExactly("0@0", "1@250", "2@500");
    assertThat(late).isZero();
  }

  @Test
  @DisplayName(
      "a sender that is held up sends what was due meanwhile, and latency counts from then")
  void heldUp() throws InterruptedException {
    Latencies latencies = new Latencies();
    Duration late =
        new OpenLoad(10, 4)
            .run(
                pacer,
                (number, due) -> {
                  pacer.work(Duration.ofMillis(number == 0 ? 250 : 10));
                  latencies.add(Duration.ofNanos(pacer.now() - due));
                  sent.add(number + ": " + millis(pacer.now()) + " for " + millis(due));
                });

    assertThat(sent)
        .containsExactly("0: 250 for 0", "1: 260 for 100", "2: 270 for 200", "3: 310 for 300");
    assertThat(late).isEqualTo(Duration.ofMillis(150));
    assertThat(latencies.count()).isEqualTo(4);
    assertThat(latencies.percentile(50)).isBetween(Duration.ofMillis(70), Duration.ofMillis(71));
    assertThat(latencies.longest()).isBetween(Duration.ofMillis(250), Duration.ofMillis(251));
  }

  @Test
  @DisplayName("a load lasts until the request after its last would be due")
  void length() {
    assertThat(new OpenLoad(500, 1000).length()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("a load of nothing is refused")
  void nothing() {
    assertThatThrownBy(() -> new OpenLoad(0, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("perSecond 0.0, count 3: give more than 0 of both");
  }

  private static long millis(long nanos) {
    return (nanos - 5_000_000_000L) / 1_000_000;
  }
}
