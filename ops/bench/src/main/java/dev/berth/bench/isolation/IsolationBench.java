package dev.berth.bench.isolation;

import dev.berth.bench.Bench;
import dev.berth.bench.latency.BerthPipeline;
import dev.berth.bench.latency.LatencyRun;
import dev.berth.bench.latency.Lives;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.report.Section;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.provider.Access;
import dev.berth.ops.stack.StackPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Whether a plugin that hangs makes others wait, and whether a burst of detaches makes an attach
 * wait.
 */
public final class IsolationBench implements Bench {
  private static final int OTHERS = 99;
  private static final Duration LIFE = Duration.ofSeconds(3);

  /** Long enough for what is slow because it is new. */
  private static final Duration LIFE_AT_FIRST = Duration.ofSeconds(10);

  private static final int PER_SECOND = 60;
  private static final int THREADS = 1;
  private static final String NODE = "n1";
  private static final Map<String, String> QUICKLY_GIVEN_UP = Map.of("rpc-timeout", "10s");

  /** Whether one plugin hangs meanwhile. */
  enum Beside {
    /** All plugins answer. */
    NOBODY("all plugins answer"),
    /** One does not. */
    ONE_THAT_HANGS("one plugin hangs");

    private final String word;

    Beside(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * What was found.
   *
   * @param lives latencies of the others
   * @param bursts how an attach fared in a burst of detaches
   */
  record Results(
      Map<Beside, List<Measured<LatencyRun>>> lives, List<Measured<DetachBurst.Found>> bursts) {
    Results {
      lives = Map.copyOf(lives);
      bursts = List.copyOf(bursts);
    }
  }

  @Override
  public String name() {
    return "isolation";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    long began = System.nanoTime();
    int rounds = quick ? 1 : 4;
    Lives lives = new Lives(PER_SECOND, Duration.ofSeconds(quick ? 8 : 30), LIFE);
    DetachBurst burst = new DetachBurst(quick ? 100 : 1_000);
    List<String> others = IntStream.rangeClosed(1, OTHERS).mapToObj(i -> "p" + i).toList();
    Results results;
    try (BenchStack stack = start(others)) {
      List<BenchVolume> volumes = new ArrayList<>(lives.on(others, NODE));
      stack.register(volumes);
      HangingPlugin hanging = new HangingPlugin(stack);
      BerthPipeline berth = new BerthPipeline(stack);
      LatencyRun unused = berth.run(new Lives(PER_SECOND, lives.length(), LIFE_AT_FIRST), volumes);
      Interleaving turns = new Interleaving(new LoadMeter(), watch);
      Map<Beside, List<Measured<LatencyRun>>> found =
          turns.run(
              List.of(Beside.values()),
              rounds,
              beside -> {
                volumes.replaceAll(BenchVolume::again);
                if (beside == Beside.NOBODY) {
                  return berth.run(lives, volumes);
                }
                hanging.hang();
                try {
                  return berth.run(lives, volumes);
                } finally {
                  hanging.release();
                }
              });
      List<Measured<DetachBurst.Found>> bursts =
          turns
              .run(List.of(burst), rounds, one -> one.run(stack, NODE))
              .getOrDefault(burst, List.of());
      results = new Results(found, bursts);
      burst.end(stack);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new IsolationFindings(results).section(settings(rounds, lives, burst), took);
  }

  private static BenchStack start(List<String> others) throws InterruptedException {
    List<StackPlugin> plugins = new ArrayList<>();
    others.forEach(id -> plugins.add(plugin(id, Map.of())));
    plugins.add(plugin(HangingPlugin.ID, QUICKLY_GIVEN_UP));
    plugins.add(plugin(DetachBurst.PLUGIN, Map.of()));
    return BenchStack.start(plugins, List.of(NODE), Map.of(), THREADS);
  }

  private static StackPlugin plugin(String id, Map<String, String> policy) {
    return new StackPlugin(
        id, PluginFeatures.all().withStage(false), 1, Access.MULTI_NODE, 0, policy);
  }

  private static Map<String, String> settings(int rounds, Lives lives, DetachBurst burst) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("repetitions", String.valueOf(rounds));
    settings.put("plugins that answer", String.valueOf(OTHERS));
    settings.put("events per second, claims and ends", String.valueOf(lives.perSecond()));
    settings.put("length of each", lives.length().toSeconds() + " s");
    settings.put("calls that hang", String.valueOf(HangingPlugin.CALLS));
    settings.put("detaches of a burst", String.valueOf(burst.detaches()));
    settings.put("time of a call in it", DetachBurst.CALL.toMillis() + " ms");
    settings.put("time of the other calls", "100 ms");
    settings.put("stream threads", String.valueOf(THREADS));
    return settings;
  }
}
