package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimeoutsTest {
  private static Timeouts of(int worker, int streams, int transaction, int sweep) {
    return new Timeouts(
        Duration.ofSeconds(worker),
        Duration.ofSeconds(streams),
        Duration.ofSeconds(transaction),
        Duration.ofSeconds(sweep));
  }

  @Test
  @DisplayName("a transaction left open counts where it outlasts the session")
  void transaction() {
    assertThat(of(6, 10, 10, 1).limit(Struck.WORKER)).isEqualTo(Duration.ofSeconds(13));
    assertThat(of(6, 10, 10, 10).limit(Struck.STREAMS_ALONE)).isEqualTo(Duration.ofSeconds(22));
  }

  @Test
  @DisplayName("a longer session counts, each process by its own")
  void session() {
    Timeouts timeouts = of(20, 45, 10, 1);
    assertThat(timeouts.limit(Struck.WORKER)).isEqualTo(Duration.ofSeconds(22));
    assertThat(timeouts.limit(Struck.STREAMS_WITH_STANDBY)).isEqualTo(Duration.ofSeconds(47));
    assertThat(timeouts.limit(Struck.BROKER)).isEqualTo(Duration.ofSeconds(47));
  }
}
