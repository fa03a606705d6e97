package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.failover.Victim.Way;
import dev.berth.bench.system.BenchVolume;
import dev.berth.schemas.topics.Keys;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VictimTest {
  private static final List<BenchVolume> VOLUMES =
      IntStream.range(0, 40)
          .mapToObj(i -> new BenchVolume("v" + i, i % 2 == 0 ? "ebs" : "gce", "n1", 1))
          .toList();

  @Test
  @DisplayName("a worker is in the way of its plugins, whichever partition their volumes are in")
  void worker() {
    Victim victim = new Victim("worker-1", Set.of(), Set.of("gce"), 2);

    assertThat(victim.ways(VOLUMES))
        .containsExactlyInAnyOrder(new Way("gce", 0), new Way("gce", 1));
  }

  @Test
  @DisplayName("a Streams instance is in the way of its volumes, and of its plugins' lanes")
  void streams() {
    Victim victim = new Victim("streams-1", Set.of(1), Set.of("ebs"), 2);

    assertThat(victim.ways(VOLUMES))
        .containsExactlyInAnyOrder(new Way("ebs", 0), new Way("ebs", 1), new Way("gce", 1));
    assertThat(VOLUMES.stream().filter(victim::serves))
        .allMatch(
            volume ->
                volume.plugin().equals("ebs") || Keys.partition("bench/" + volume.id(), 2) == 1);
  }
}
