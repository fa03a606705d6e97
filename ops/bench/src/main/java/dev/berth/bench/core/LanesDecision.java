package dev.berth.bench.core;

import static java.util.Objects.requireNonNull;

import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesDecider;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;

/** Decides one event about a plugin's lane, over and over. */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
public class LanesDecision {
  private static final int OF_ONE_PLUGIN = 1000;
  private static final String TEMPLATE = "template";

  /** What happens. */
  public enum Event {
    /** Another call is asked for. */
    REQUESTED,
    /** A worker accepts the call that is out. */
    ACCEPTED,
    /** The call that is out is done; the next one goes out. */
    DONE
  }

  @Param Event event = Event.REQUESTED;

  @Param("1")
  int calls;

  @Param("0")
  int others;

  private State state = new MapState();
  private @Nullable LanesEvent decided;

  /** Fills the lane, and those of other plugins. */
  @Setup
  public void prepare() {
    List<String> plugins = new ArrayList<>();
    for (int i = 0; i < others / OF_ONE_PLUGIN; i++) {
      plugins.add("other" + i);
    }
    plugins.add(TEMPLATE);
    plugins.add(Cluster.PLUGIN);
    MapState cluster = Cluster.with(plugins);
    List<MapState> parts = new ArrayList<>();
    parts.add(cluster);
    if (others > 0) {
      MapState template = LaneScene.busy(TEMPLATE, OF_ONE_PLUGIN, cluster).rows();
      Renaming renaming = new Renaming(TEMPLATE);
      for (int i = 0; i < others / OF_ONE_PLUGIN; i++) {
        parts.add(renaming.renamed(template, LaneTables.all(), "other" + i));
      }
    }
    LaneScene scene = LaneScene.busy(Cluster.PLUGIN, calls, cluster);
    parts.add(scene.rows());
    if (event == Event.DONE) {
      scene.decide(scene.accepted());
    }
    decided =
        switch (event) {
          case REQUESTED -> scene.requested("new");
          case ACCEPTED -> scene.accepted();
          case DONE -> scene.done();
        };
    List<Table<?>> tables =
        Stream.concat(LaneTables.all().stream(), Cluster.TABLES.stream()).toList();
    state = FixedState.of(parts, tables);
  }

  /** The decision. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public Decision<LanesEffect> decide() {
    return LanesDecider.decide(state, requireNonNull(decided), Cluster.NOW, Policies.DEFAULTS);
  }
}
