package dev.berth.ops.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.ops.stack.TemporaryData;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A bounded run of {@code berth chaos}: real processes that are killed, stopped and restarted. */
class ChaosRunIT {

  private static final Duration LENGTH = Duration.ofSeconds(35);

  @ParameterizedTest
  @EnumSource
  void nothingIsWrongWhateverDies(GroupProtocols protocols) throws InterruptedException {
    // Kills of a worker and of Streams and a stop longer than a session; or a kill of the broker
    // between two such stops.
    ChaosSchedule schedule = ChaosSchedule.of(protocols == GroupProtocols.CLASSIC ? 8 : 5, LENGTH);
    try (TemporaryData data = TemporaryData.create("berth-chaos-", false)) {
      Path directory = data.path();

      ChaosResult result = new ChaosRun(schedule, protocols, false, directory).run(said -> {});

      assertThat(result.problems()).isEmpty();
      assertThat(result.strikes().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(schedule.faults().size());
      assertThat(result.granted()).isPositive();
      assertThat(result.calls()).isPositive();
    }
  }
}
