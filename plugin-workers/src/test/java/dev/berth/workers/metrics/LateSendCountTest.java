package dev.berth.workers.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.telemetry.Meters;
import dev.berth.workers.WorkFixtures;
import dev.berth.workers.accept.Accepted;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LateSendCountTest {

  @Test
  void lateSendsAreCountedByPlugin() {
    try (Meters meters = new Meters()) {
      Accepted accepted = WorkFixtures.accepted(WorkFixtures.work("ebs/1").build());
      LateSendCount count = new LateSendCount(meters.registry());

      count.expect("ebs");
      assertThat(meters.scrape()).contains("berth_late_sends_total{plugin=\"ebs\"} 0");

      count.late(accepted, WorkFixtures.call().build(), Duration.ofSeconds(5));
      count.late(accepted, WorkFixtures.call().build(), Duration.ZERO);

      assertThat(meters.scrape()).contains("berth_late_sends_total{plugin=\"ebs\"} 2");
    }
  }
}
