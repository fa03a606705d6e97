package dev.berth.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.lanes.LaneTables;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RenamingTest {

  @Test
  @DisplayName("a renamed volume is the same as one that was brought there under that name")
  void volume() {
    MapState cluster = Cluster.with(List.of(Cluster.PLUGIN));
    MapState template = VolumeScene.granted("template", 2, 0, cluster).rows();

    assertThat(new Renaming("template").renamed(template, ClaimTables.ALL, "db"))
        .isEqualTo(VolumeScene.granted("db", 2, 0, cluster).rows());
  }

  @Test
  @DisplayName("so is a renamed plugin with its lane")
  void lane() {
    MapState cluster = Cluster.with(List.of("template", "efs"));
    MapState template = LaneScene.busy("template", 3, cluster).rows();

    assertThat(new Renaming("template").renamed(template, LaneTables.all(), "efs"))
        .isEqualTo(LaneScene.busy("efs", 3, cluster).rows());
  }
}
