package dev.berth.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.system.BenchVolume;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllocsTest {
  private static final List<BenchVolume> VOLUMES =
      List.of(new BenchVolume("a", "p", "n1", 0), new BenchVolume("b", "p", "n1", 0));

  @ParameterizedTest(name = "after {0} claims")
  @ValueSource(ints = {0, 1, 3, 4, 9})
  @DisplayName("whenever a load ends, every alloc has ended once, in the order of the claims")
  void ends(int claims) {
    Allocs allocs = new Allocs(VOLUMES, 3);
    List<BenchVolume> claimed = new ArrayList<>();
    List<BenchVolume> ended = new ArrayList<>();

    for (int i = 0; i < claims; i++) {
      claimed.add(allocs.claim());
      if (i < claims - 1) {
        allocs.end().ifPresent(ended::add);
      }
    }
    assertThat(ended).hasSize(Math.max(0, claims - 4));
    ended.addAll(allocs.endAll());

    assertThat(ended).isEqualTo(claimed).doesNotHaveDuplicates();
    assertThat(allocs.endAll()).isEmpty();
  }

  @ParameterizedTest(name = "{0} allocs of each volume")
  @ValueSource(ints = {1, 2})
  @DisplayName("volumes take turns, each time with another alloc")
  void turns(int uses) {
    Allocs allocs = new Allocs(VOLUMES, 3);
    List<BenchVolume> claimed = new ArrayList<>();
    for (int i = 0; i < 2 * uses; i++) {
      claimed.add(allocs.claim());
    }

    assertThat(claimed.subList(2 * uses - 2, 2 * uses))
        .containsExactly(
            new BenchVolume("a", "p", "n1", uses), new BenchVolume("b", "p", "n1", uses));
  }
}
