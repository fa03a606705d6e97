package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.failover.FailoverRun.Evidence;
import dev.berth.bench.failover.Victim.Way;
import dev.berth.bench.system.BenchVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FailoverRunTest {
  private static final Instant KILL = Instant.parse("2030-01-01T00:00:00.000500Z");
  private static final Duration WAITED = Duration.ofSeconds(90);
  private static final BenchVolume EBS = new BenchVolume("e", "ebs", "n1", 1);
  private static final BenchVolume EBS_TOO = new BenchVolume("f", "ebs", "n1", 1);
  private static final BenchVolume GCE = new BenchVolume("g", "gce", "n1", 1);

  /** One partition, so that only plugins tell ways apart. */
  private static final Victim ALL = new Victim("broker", Set.of(0), Set.of("ebs", "gce"), 1);

  private static final List<Way> WAYS = ALL.ways(List.of(EBS, EBS_TOO, GCE));

  private static Instant after(long millis) {
    return KILL.plusMillis(millis);
  }

  private static Claimed claim(BenchVolume volume, long asked, long granted) {
    return new Claimed(volume, after(asked), Optional.of(after(granted)));
  }

  private static Claimed waiting(BenchVolume volume, long asked) {
    return new Claimed(volume, after(asked), Optional.empty());
  }

  private static FailoverRun run(
      List<Claimed> claims,
      Map<String, List<Instant>> decisions,
      Map<String, List<Instant>> attaches) {
    return FailoverRun.of(
        new Evidence(KILL, ALL, claims, decisions, attaches, List.of()),
        WAYS,
        Restored.NOTHING,
        Duration.ZERO,
        WAITED,
        0);
  }

  @Test
  @DisplayName("of each way the first claim counts, and of all ways the one that waited longest")
  void longest() {
    FailoverRun run =
        run(
            List.of(claim(EBS, 10, 9_000), claim(EBS_TOO, 20, 8_000), claim(GCE, 30, 8_500)),
            Map.of("e", List.of(after(100)), "f", List.of(after(50)), "g", List.of(after(70))),
            Map.of(
                "e",
                List.of(after(7_000)),
                "f",
                List.of(after(6_000)),
                "g",
                List.of(after(5_000))));

    assertThat(run)
        .isEqualTo(
            new FailoverRun(
                Duration.ofMillis(70),
                Duration.ofSeconds(6),
                Duration.ofMillis(8_500),
                Restored.NOTHING,
                Duration.ZERO,
                List.of(),
                true));
  }

  @Test
  @DisplayName("what was asked before the kill, or done before it was asked, says nothing")
  void before() {
    FailoverRun run =
        run(
            List.of(claim(EBS, -1, 5), claim(EBS_TOO, 20, 8_000), claim(GCE, 30, 8_100)),
            Map.of(
                "e", List.of(after(1)),
                "f", List.of(after(10), after(7_000)),
                "g", List.of(after(6_000))),
            Map.of("f", List.of(after(5), after(7_500)), "g", List.of(after(6_500))));

    assertThat(run.decision()).isEqualTo(Duration.ofSeconds(7));
    assertThat(run.call()).isEqualTo(Duration.ofMillis(7_500));
    assertThat(run.grant()).isEqualTo(Duration.ofMillis(8_100));
  }

  @Test
  @DisplayName("a record's time is cut to milliseconds: it may seem older than what it answers")
  void milliseconds() {
    Instant cut = Instant.parse("2030-01-01T00:00:00.010Z");
    FailoverRun run =
        run(
            List.of(claim(EBS, 10, 20), claim(GCE, 10, 20)),
            Map.of("e", List.of(cut), "g", List.of(cut)),
            Map.of("e", List.of(cut), "g", List.of(cut)));

    assertThat(run.complete()).isTrue();
    assertThat(run.decision()).isEqualTo(Duration.between(KILL, cut));
  }

  @Test
  @DisplayName("a way that nothing came on counts as long as it was waited for")
  void nothing() {
    FailoverRun run =
        run(
            List.of(claim(EBS, 10, 40), waiting(GCE, 10)),
            Map.of("e", List.of(after(20)), "g", List.of(after(20))),
            Map.of("e", List.of(after(30))));

    assertThat(run.decision()).isEqualTo(Duration.ofMillis(20));
    assertThat(run.call()).isEqualTo(WAITED);
    assertThat(run.grant()).isEqualTo(WAITED);
    assertThat(run.complete()).isFalse();
  }

  @Test
  @DisplayName("calls are counted by the second from the kill, and none before it")
  void calls() {
    List<Instant> calls = List.of(after(-1), after(0), after(999), after(1_000), after(3_000));
    FailoverRun run =
        FailoverRun.of(
            new Evidence(KILL, ALL, List.of(), Map.of(), Map.of(), calls),
            List.of(),
            Restored.NOTHING,
            Duration.ZERO,
            WAITED,
            3);

    assertThat(run.callsPerSecond()).containsExactly(2, 1, 0);
  }

  @Test
  @DisplayName("a way is granted by a claim that was asked after the kill")
  void granted() {
    assertThat(
            FailoverRun.granted(
                KILL, ALL, List.of(claim(EBS, -1, 5), claim(GCE, 1, 5), waiting(EBS_TOO, 1))))
        .containsExactly(new Way("gce", 0));
  }
}
