package dev.berth.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.table.TableVolume.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StencilTest {
  private static final TableVolume SAMPLE = new TableVolume(Kind.CONTROLLER, 24);
  private static final TableVolume OTHER = new TableVolume(Kind.CONTROLLER, 31);
  private static final List<SampleName> NAMES =
      SampleName.of(SAMPLE, List.of("ctl-00/e-0000000000000003", "ctl-00/e-0000000000000004"));

  @Test
  @DisplayName("a key carries another volume's names, and attempts get numbers of their own")
  void keys() {
    assertThat(key("claims/bench/c0000024/c0000024-1"))
        .isEqualTo("claims/bench/c0000031/c0000031-1");
    assertThat(key("attempts/ctl-00/e-0000000000000003"))
        .isEqualTo("attempts/ctl-07/e-0000000000000062");
    assertThat(key("due/0001/attempt/ctl-00/e-0000000000000004"))
        .isEqualTo("due/0001/attempt/ctl-07/e-0000000000000063");
    assertThat(key("plugin-lanes/ctl-00")).isEqualTo("plugin-lanes/ctl-07");
  }

  @Test
  @DisplayName("a value carries another volume's names too, and the sample's stays as it is")
  void values() {
    byte[] sample = bytes("\u0002ctl-00/e-0000000000000003\u0001bench/c0000024#2 of ctl-00");
    Stencil stencil = new Stencil(sample::clone, NAMES);

    assertThat(stencil.of(OTHER))
        .isEqualTo(bytes("\u0002ctl-07/e-0000000000000062\u0001bench/c0000031#2 of ctl-07"));
    assertThat(stencil.of(SAMPLE))
        .isEqualTo(bytes("\u0002ctl-00/e-0000000000000048\u0001bench/c0000024#2 of ctl-00"));
  }

  private static String key(String key) {
    return new KeyStencil(key, NAMES).of(OTHER);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
