package dev.berth.workers.csi;

import static dev.berth.workers.WorkFixtures.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MountPathsTest {

  private final MountPaths paths = new MountPaths(Path.of("/csi"), "ebs");

  @Test
  void aVolumeIsStagedOnceAndAppearsPerAlloc() {
    assertThat(paths.staging(call().build())).isEqualTo(Path.of("/csi/ebs/staging/default/v1"));
    assertThat(paths.target(call().build())).isEqualTo(Path.of("/csi/ebs/per-alloc/a1/default/v1"));
  }

  static Stream<Arguments> namesWithMeaning() {
    return Stream.of(
        Arguments.of("..", "%2E%2E"),
        Arguments.of(".", "%2E"),
        Arguments.of("../../etc", "..%2F..%2Fetc"),
        Arguments.of("a/b", "a%2Fb"),
        Arguments.of("a%2Fb", "a%252Fb"),
        Arguments.of("", "%"),
        Arguments.of("vol[0]", "vol[0]"),
        Arguments.of("größe\u0000", "gr%C3%B6%C3%9Fe%00"));
  }

  @ParameterizedTest
  @MethodSource("namesWithMeaning")
  void noNameLeavesItsDirectory(String name, String segment) {
    assertThat(paths.staging(call().setVolume(name).build()))
        .isEqualTo(Path.of("/csi/ebs/staging/default").resolve(segment));
  }

  @Test
  void aCallForNoAllocHasNoTarget() {
    assertThatThrownBy(() -> paths.target(call().setAlloc(null).build()))
        .hasMessage("CONTROLLER_PUBLISH names no alloc");
  }
}
