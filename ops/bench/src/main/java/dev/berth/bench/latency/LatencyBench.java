package dev.berth.bench.latency;

import dev.berth.bench.Bench;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.report.Section;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.provider.Access;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.ops.stack.StackPlugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How long events take until the plugin is called. The driver answers at once and there are plugins
 * enough that no call waits for its lane: what is measured is the way, not the line.
 */
public final class LatencyBench implements Bench {
  private static final int PLUGINS = 50;
  private static final int THREADS = 1;
  private static final String NODE = "n1";
  private static final Duration LIFE = Duration.ofSeconds(3);
  private static final Duration LENGTH = Duration.ofSeconds(30);
  private static final Duration QUICK_LENGTH = Duration.ofSeconds(8);

  /** Which pipeline, under which load. */
  record Case(boolean bare, int perSecond) {
    @Override
    public String toString() {
      return "%s, %d events/s".formatted(bare ? "bare" : "Berth", perSecond);
    }
  }

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    long began = System.nanoTime();
    List<Integer> rates = quick ? List.of(10, 100) : List.of(10, 100, 500);
    int rounds = quick ? 1 : 4;
    Duration length = quick ? QUICK_LENGTH : LENGTH;
    List<String> plugins = IntStream.rangeClosed(1, PLUGINS).mapToObj(i -> "p" + i).toList();
    Map<Case, List<Interleaving.Measured<LatencyRun>>> runs;
    try (BenchStack stack = start(plugins);
        BarePipeline bare = new BarePipeline(stack.connection(), THREADS)) {
      stack.script().add(Rule.on().takes(Latency.none()));
      Map<Integer, List<BenchVolume>> volumes = new HashMap<>();
      for (int rate : rates) {
        List<BenchVolume> some = new Lives(rate, length, LIFE).on(plugins, NODE);
        stack.register(some);
        volumes.put(rate, some);
      }
      BerthPipeline berth = new BerthPipeline(stack);
      warmUp(stack, plugins, List.of(berth, bare), length);
      runs =
          new Interleaving(new LoadMeter(), watch)
              .run(
                  cases(rates),
                  rounds,
                  one -> {
                    List<BenchVolume> next =
                        volumes.getOrDefault(one.perSecond(), List.of()).stream()
                            .map(BenchVolume::again)
                            .toList();
                    volumes.put(one.perSecond(), next);
                    return (one.bare() ? bare : berth)
                        .run(new Lives(one.perSecond(), length, LIFE), next);
                  });
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new LatencyFindings(runs, rates).section(settings(rounds, length), took);
  }

  private static List<Case> cases(List<Integer> rates) {
    List<Case> cases = new ArrayList<>();
    for (int rate : rates) {
      cases.add(new Case(false, rate));
      cases.add(new Case(true, rate));
    }
    return cases;
  }

  private static BenchStack start(List<String> plugins) throws InterruptedException {
    List<StackPlugin> all =
        plugins.stream()
            .map(
                id ->
                    new StackPlugin(
                        id,
                        PluginFeatures.all().withStage(false),
                        1,
                        Access.MULTI_NODE,
                        0,
                        Map.of()))
            .toList();
    return BenchStack.start(all, List.of(NODE), Map.of(), THREADS);
  }

  /**
   * Until what is measured is compiled, on both sides: slowly first, and with allocs that live long
   * enough for what is slow because it is new.
   */
  private static void warmUp(
      BenchStack stack, List<String> plugins, List<Pipeline> pipelines, Duration length)
      throws InterruptedException {
    for (int rate : List.of(40, 200)) {
      Lives lives = new Lives(rate, length, Duration.ofSeconds(10));
      List<BenchVolume> volumes = lives.on(plugins, NODE);
      stack.register(volumes);
      for (Pipeline pipeline : pipelines) {
        LatencyRun unused = pipeline.run(lives, volumes);
      }
    }
  }

  private static Map<String, String> settings(int rounds, Duration length) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("repetitions", String.valueOf(rounds));
    settings.put("length of each", length.toSeconds() + " s and the ends of the last allocs");
    settings.put("plugins", String.valueOf(PLUGINS));
    settings.put("stream threads", THREADS + " for each pipeline");
    settings.put("partitions", "those of the catalogue: 4 for volumes, 12 for plugins");
    settings.put(
        "processes",
        "one: broker, registry, drivers, both pipelines (one of them idle) and the load");
    return settings;
  }
}
