package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoScriptTest {

  @Test
  @DisplayName("the same size and seed give the same script, another seed another one")
  void deterministic() {
    assertThat(DemoScript.of(DemoSize.USUAL)).isEqualTo(DemoScript.of(DemoSize.USUAL));
    assertThat(DemoScript.of(new DemoSize(200, 50, 10, 2)).allocs())
        .isNotEqualTo(DemoScript.of(DemoSize.USUAL).allocs());
  }

  @Test
  @DisplayName("the usual script has volumes of three plugins, and claims of every kind")
  void usual() {
    DemoScript script = DemoScript.of(DemoSize.USUAL);
    Map<String, Long> volumes =
        script.volumes().stream()
            .collect(Collectors.groupingBy(DemoVolume::plugin, Collectors.counting()));
    assertThat(volumes).isEqualTo(Map.of("ebs", 20L, "gce", 10L, "nfs", 20L));
    assertThat(script.nodes()).hasSize(10);
    assertThat(script.allocs()).hasSize(200);
    assertThat(script.claims()).isEqualTo(225);
    assertThat(kindsOfStart(script))
        .isEqualTo(
            Set.of(
                DemoStart.AtOnce.class,
                DemoStart.Beside.class,
                DemoStart.BehindHolder.class,
                DemoStart.AfterRelease.class));
    assertThat(script.allocs().stream().filter(DemoAlloc::waits).count()).isGreaterThan(40);
    assertThat(script.allocs().stream().map(DemoAlloc::end).distinct())
        .containsExactlyInAnyOrder(DemoEnd.values());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  @DisplayName("an alloc starts after an earlier one that uses the same volume")
  void order(long seed) {
    Map<String, DemoAlloc> earlier = new HashMap<>();
    for (DemoAlloc alloc : DemoScript.of(new DemoSize(300, 40, 7, seed)).allocs()) {
      alloc
          .start()
          .alloc()
          .ifPresent(
              other -> {
                assertThat(earlier).containsKey(other);
                assertThat(earlier.get(other).uses().get(0).volume())
                    .isEqualTo(alloc.uses().get(0).volume());
              });
      earlier.put(alloc.id(), alloc);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  @DisplayName("a writer waits only behind the writer before it, so that each wait is certain")
  void waits(long seed) {
    DemoScript script = DemoScript.of(new DemoSize(300, 40, 7, seed));
    for (DemoAlloc alloc : script.allocs()) {
      List<DemoAlloc> behind = script.waitingBehind(alloc);
      assertThat(behind).hasSizeLessThan(2);
      behind.forEach(waiting -> assertThat(waiting.uses().get(0).volume().oneWriter()).isTrue());
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "1,200,30", "2000,1,1", "7,3,2"})
  @DisplayName("a script of any size has its allocs, each volume of an alloc once")
  void sizes(int allocs, int volumes, int nodes) {
    DemoScript script = DemoScript.of(new DemoSize(allocs, volumes, nodes, 1));
    assertThat(script.allocs()).hasSize(allocs);
    assertThat(script.volumes()).hasSize(volumes);
    for (DemoAlloc alloc : script.allocs()) {
      Set<DemoVolume> used = new HashSet<>();
      alloc.uses().forEach(use -> assertThat(used.add(use.volume())).isTrue());
    }
  }

  @Test
  @DisplayName("a size that is out of range is refused with the range")
  void outOfRange() {
    assertThatThrownBy(() -> new DemoSize(0, 50, 10, 1))
        .hasMessage("allocs 0 is out of range: give 1 to 2000");
    assertThatThrownBy(() -> new DemoSize(1, 201, 10, 1))
        .hasMessage("volumes 201 is out of range: give 1 to 200");
    assertThatThrownBy(() -> new DemoSize(1, 1, 31, 1))
        .hasMessage("nodes 31 is out of range: give 1 to 30");
  }

  private static Set<Class<?>> kindsOfStart(DemoScript script) {
    return script.allocs().stream()
        .map(alloc -> alloc.start().getClass())
        .collect(Collectors.toSet());
  }
}
