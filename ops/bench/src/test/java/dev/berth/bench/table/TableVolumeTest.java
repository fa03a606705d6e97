package dev.berth.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.bench.table.TableVolume.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableVolumeTest {

  @Test
  @DisplayName("ids are equally long, and volumes take their turn on the plugins of their kind")
  void ids() {
    TableVolume volume = new TableVolume(Kind.CONTROLLER, 27);

    assertThat(volume.key()).isEqualTo("bench/c0000027");
    assertThat(volume.plugin()).isEqualTo("ctl-03");
    assertThat(volume.alloc(2)).isEqualTo("c0000027-2");
    assertThat(new TableVolume(Kind.NODE_ONLY, 1_234_567).key()).isEqualTo("bench/n1234567");
  }

  @Test
  @DisplayName("what begins with a volume's key is about that volume")
  void ofText() {
    assertThat(TableVolume.of("bench/n0000120#4")).isEqualTo(new TableVolume(Kind.NODE_ONLY, 120));
    assertThat(TableVolume.of("bench/c0000007")).isEqualTo(new TableVolume(Kind.CONTROLLER, 7));
  }
}
