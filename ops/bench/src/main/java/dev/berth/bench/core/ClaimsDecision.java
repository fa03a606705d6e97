package dev.berth.bench.core;

import static java.util.Objects.requireNonNull;

import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.kernel.Table;
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

/** Decides one event about a volume, over and over: nothing is written, so each time is alike. */
@org.openjdk.jmh.annotations.State(Scope.Benchmark)
public class ClaimsDecision {
  private static final String LAST = "z";
  private static final String TEMPLATE = "template";

  /** What happens. */
  public enum Event {
    /** Another alloc claims, on a node where the volume is not attached yet, if there is one. */
    CLAIM,
    /** The attach of the newest claim is done. */
    ATTACHED,
    /** The newest alloc ends; its claim was granted. */
    ENDED,
    /** The client of the newest alloc, which has ended, has unmounted. */
    UNMOUNTED
  }

  @Param Event event = Event.CLAIM;

  @Param("1")
  int claims;

  @Param("0")
  int others;

  private State state = new MapState();
  private @Nullable ClaimsEvent decided;

  /** Brings the volume to where the event meets it, with as many other volumes beside it. */
  @Setup
  public void prepare() {
    MapState cluster = Cluster.with(List.of(Cluster.PLUGIN));
    List<MapState> parts = new ArrayList<>();
    parts.add(cluster);
    Renaming renaming = new Renaming(TEMPLATE);
    for (int node = 0; node < Math.min(others, Cluster.NODES); node++) {
      MapState template = VolumeScene.granted(TEMPLATE, 1, node, cluster).rows();
      for (int i = node; i < others; i += Cluster.NODES) {
        parts.add(renaming.renamed(template, ClaimTables.ALL, "other" + i));
      }
    }
    VolumeScene scene =
        VolumeScene.granted("volume", claims - (event == Event.CLAIM ? 0 : 1), 0, cluster);
    ClaimsEvent next = scene.claim(LAST, Cluster.node(Cluster.NODES - 1));
    if (event != Event.CLAIM) {
      scene.decide(next);
      scene.decide(scene.answered(false));
      next = scene.answered(true);
    }
    if (event == Event.ENDED || event == Event.UNMOUNTED) {
      scene.decide(next);
      next = scene.ended(LAST);
    }
    if (event == Event.UNMOUNTED) {
      scene.decide(next);
      next = scene.unmounted(LAST);
    }
    decided = next;
    parts.add(scene.rows());
    List<Table<?>> tables =
        Stream.concat(ClaimTables.ALL.stream(), Cluster.TABLES.stream()).toList();
    state = FixedState.of(parts, tables);
  }

  /** The decision. */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public Decision<ClaimsEffect> decide() {
    return ClaimsDecider.decide(state, requireNonNull(decided), Cluster.NOW, Policies.DEFAULTS);
  }
}
