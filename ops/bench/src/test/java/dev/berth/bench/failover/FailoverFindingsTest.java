package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Plot;
import dev.berth.bench.report.Section;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailoverFindingsTest {
  private static final Timeouts TIMEOUTS =
      new Timeouts(
          Duration.ofSeconds(6),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1));

  private static Measured<FailoverRun> run(int seconds, Restored restored, boolean complete) {
    Duration felt = Duration.ofSeconds(seconds);
    return new Measured<>(
        new FailoverRun(
            felt.minusSeconds(1),
            felt,
            felt.plusSeconds(1),
            restored,
            Duration.ZERO,
            List.of(0, seconds),
            complete),
        0.0);
  }

  private static Section section(Struck struck, List<Measured<FailoverRun>> runs) {
    return new FailoverFindings(Map.of(struck, runs), TIMEOUTS).section(Map.of(), Duration.ZERO);
  }

  @Test
  @DisplayName("goals hold for the longest repetition, and with a standby nothing is restored")
  void goals() {
    Section section =
        section(
            Struck.STREAMS_WITH_STANDBY,
            List.of(
                run(9, new Restored(4, 0), true),
                run(14, new Restored(4, 3), true),
                run(11, new Restored(4, 0), true)));

    assertThat(section.goals())
        .containsExactly(
            goal("Streams killed, with standby: next decision", 13, 13, "s"),
            goal("Streams killed, with standby: next call", 13, 14, "s"),
            goal("Streams killed, with standby: restored", 0, 3, "records"));
    assertThat(section.goals()).extracting(Goal::met).containsExactly(true, false, false);
    assertThat(section.notes()).isEmpty();
  }

  @Test
  @DisplayName("nobody asks that a killed worker restores nothing; what did not come is told")
  void incomplete() {
    Section section =
        section(
            Struck.WORKER,
            List.of(run(7, Restored.NOTHING, true), run(90, Restored.NOTHING, false)));

    assertThat(section.measures())
        .extracting(measure -> measure.name())
        .containsExactly(
            "worker killed: next decision",
            "worker killed: next call",
            "worker killed: next grant");
    assertThat(section.notes()).singleElement().asString().startsWith("In 1 repetitions something");
  }

  @Test
  @DisplayName("the plot shows the calls of each second, from the fewest to the most")
  void plot() {
    Section section =
        section(
            Struck.BROKER,
            List.of(
                run(4, Restored.NOTHING, true),
                run(6, Restored.NOTHING, true),
                run(9, Restored.NOTHING, true)));

    assertThat(section.plots().get(0).series())
        .containsExactly(
            new Plot.Series(
                "broker killed",
                List.of(new Plot.Point(0.5, 0, 0, 0), new Plot.Point(1.5, 4, 6, 9))));
  }

  private static Goal goal(String name, double limit, double found, String unit) {
    return new Goal(name, Goal.Bound.AT_MOST, limit, found, unit);
  }
}
