package dev.berth.bench.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Section;
import dev.berth.bench.table.HopCase.Contender;
import dev.berth.bench.table.TableVolume.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableFindingsTest {
  private static final long MEGABYTE = 1 << 20;

  @Test
  @DisplayName("a rate counts three events a life, over the time of both halves")
  void rates() {
    HopRun run = new HopRun(times(100, 1_000, 2_000), 30_000);

    assertThat(run.rate()).isEqualTo(100);
    assertThat(run.claimRate()).isEqualTo(100);
    assertThat(run.endRate()).isEqualTo(50);
    assertThat(run.bytesPerEvent()).isEqualTo(100);
  }

  @Test
  @DisplayName("a restore counts the rows over the time until it ran")
  void restore() {
    SizeRun run = new SizeRun(times(100, 1_000, 2_000), 6_000, Duration.ofSeconds(4), 3 * MEGABYTE);

    assertThat(run.restoreRate()).isEqualTo(1_500);
    assertThat(run.restoreSeconds()).isEqualTo(4);
    assertThat(run.megabytes()).isEqualTo(3);
  }

  @Test
  @DisplayName("goals are ratios of medians, and the largest heap of all")
  void goals() {
    Map<HopCase, List<Measured<HopRun>>> beside = new LinkedHashMap<>();
    for (HopCase one : HopCase.all()) {
      int millis = one.contender() == Contender.BERTH ? 2_000 : 1_000;
      millis *= one.kind() == Kind.CONTROLLER ? 2 : 1;
      millis += one.kind() == Kind.CONTROLLER && one.contender() == Contender.BERTH ? 1_000 : 0;
      beside.put(one, List.of(new Measured<>(new HopRun(times(100, millis, millis), 1), null)));
    }
    Map<Integer, List<Measured<SizeRun>>> sizes = new LinkedHashMap<>();
    sizes.put(1_000, List.of(size(1_000, 90)));
    sizes.put(10_000, List.of(size(4_000, 100), size(2_000, 80), size(1_000, 70)));

    Section section = new TableFindings(beside, sizes).section(Map.of(), Duration.ofSeconds(1));

    assertThat(section.goals())
        .extracting(Goal::name, Goal::found)
        .containsExactly(
            tuple("node-only volumes: rate over that of the bare hop", 0.5),
            tuple("controller volumes: rate over that of the bare hop", 0.4),
            tuple("rate with 10,000 volumes over that with 1,000 volumes", 0.5),
            tuple("heap, whatever the size", 100.0));
  }

  private static Measured<SizeRun> size(int millis, long megabytes) {
    return new Measured<>(
        new SizeRun(times(100, millis, millis), 1, Duration.ofSeconds(1), megabytes * MEGABYTE),
        null);
  }

  private static FullSpeed.Times times(int lives, int claims, int ends) {
    return new FullSpeed.Times(lives, Duration.ofMillis(claims), Duration.ofMillis(ends));
  }
}
