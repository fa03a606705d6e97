package dev.berth.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.latency.Lives.Request;
import dev.berth.bench.system.BenchVolume;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LivesTest {
  private static final Lives LIVES = new Lives(4, Duration.ofSeconds(4), Duration.ofSeconds(2));

  @Test
  @DisplayName("claims and ends take turns, and an alloc ends two seconds after its claim")
  void turns() {
    List<Request> sent = IntStream.range(0, LIVES.load().count()).mapToObj(LIVES::request).toList();

    assertThat(sent.subList(0, 12))
        .containsExactly(
            new Request.Claim(0),
            new Request.Nothing(),
            new Request.Claim(1),
            new Request.Nothing(),
            new Request.Claim(2),
            new Request.Nothing(),
            new Request.Claim(3),
            new Request.Nothing(),
            new Request.Claim(4),
            new Request.End(0),
            new Request.Claim(5),
            new Request.End(1));
  }

  @Test
  @DisplayName("every volume is claimed once and ended once")
  void whole() {
    List<Request> sent = IntStream.range(0, LIVES.load().count()).mapToObj(LIVES::request).toList();
    List<Integer> all = IntStream.range(0, 8).boxed().toList();

    assertThat(LIVES.volumes()).isEqualTo(8);
    assertThat(sent)
        .filteredOn(Request.Claim.class::isInstance)
        .extracting(it -> ((Request.Claim) it).volume())
        .containsExactlyElementsOf(all);
    assertThat(sent)
        .filteredOn(Request.End.class::isInstance)
        .extracting(it -> ((Request.End) it).volume())
        .containsExactlyElementsOf(all);
  }

  @Test
  @DisplayName("what is sent in the first three seconds is not measured")
  void warmUp() {
    assertThat(LIVES.measured(11)).isFalse();
    assertThat(LIVES.measured(12)).isTrue();
  }

  @Test
  @DisplayName("volumes are spread over the plugins, and their names begin with the plugin's")
  void volumes() {
    assertThat(LIVES.on(List.of("a", "b"), "n1").subList(0, 3))
        .containsExactly(
            new BenchVolume("a.4-0", "a", "n1", 1),
            new BenchVolume("b.4-1", "b", "n1", 1),
            new BenchVolume("a.4-2", "a", "n1", 1));
  }
}
