package dev.berth.bench.lanes;

import dev.berth.bench.Bench;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.report.Section;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.PluginFeatures;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Access;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.records.ClaimReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The time between two calls of a lane. Plugins are paused until all attaches are in line, so that
 * the lane alone is measured; what is compared is the plugin's own log with the time that its calls
 * must take one after the other.
 */
public final class LanesBench implements Bench {
  private static final int NODES = 16;
  private static final int THREADS = 2;
  private static final Duration IN_MANY = Duration.ofMillis(200);
  private static final Duration FOR_QUEUE = Duration.ofMinutes(1);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Override
  public String name() {
    return "lanes";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    long began = System.nanoTime();
    List<LaneLoad> loads = quick ? quickLoads() : loads();
    int rounds = quick ? 1 : 3;
    Map<LaneLoad, List<Interleaving.Measured<LaneRun>>> runs;
    try (BenchStack stack = start(loads)) {
      int[] repetition = {0};
      runs =
          new Interleaving(new LoadMeter(), watch)
              .run(loads, rounds, load -> measure(stack, load, repetition[0]++));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new LanesFindings(runs).section(settings(rounds), took);
  }

  private static List<LaneLoad> loads() {
    List<LaneLoad> loads = new ArrayList<>();
    loads.add(one(0, 3_000));
    loads.add(one(1, 2_000));
    loads.add(one(10, 1_000));
    loads.add(one(100, 200));
    loads.add(one(500, 50));
    loads.add(one(2_500, 12));
    for (int plugins : List.of(1, 10, 50, 200)) {
      loads.add(new LaneLoad(LaneLoad.Kind.MANY, plugins, 1, IN_MANY, 50));
    }
    loads.add(new LaneLoad(LaneLoad.Kind.BY_NODE, 1, NODES, IN_MANY, 50 * NODES));
    loads.add(new LaneLoad(LaneLoad.Kind.BY_VOLUME, 1, NODES, Duration.ofSeconds(5), 100));
    return loads;
  }

  private static List<LaneLoad> quickLoads() {
    return List.of(
        one(0, 500),
        one(100, 50),
        new LaneLoad(LaneLoad.Kind.MANY, 10, 1, IN_MANY, 25),
        new LaneLoad(LaneLoad.Kind.BY_NODE, 1, 4, IN_MANY, 100));
  }

  private static LaneLoad one(int millis, int calls) {
    return new LaneLoad(LaneLoad.Kind.ONE, 1, 1, Duration.ofMillis(millis), calls);
  }

  private static BenchStack start(List<LaneLoad> loads) throws InterruptedException {
    Map<String, StackPlugin> plugins = new LinkedHashMap<>();
    Map<String, List<String>> served = new HashMap<>();
    Set<String> nodes = new LinkedHashSet<>();
    for (LaneLoad load : loads) {
      List<String> on = IntStream.rangeClosed(1, load.nodes()).mapToObj(i -> "n" + i).toList();
      nodes.addAll(on);
      for (String id : load.pluginIds()) {
        plugins.put(id, plugin(id, load.kind()));
        served.put(id, on);
      }
    }
    return BenchStack.start(List.copyOf(plugins.values()), List.copyOf(nodes), served, THREADS);
  }

  private static StackPlugin plugin(String id, LaneLoad.Kind kind) {
    Map<String, String> policy =
        switch (kind) {
          case ONE, MANY -> Map.of("lane", "plugin");
          case BY_NODE -> Map.of("lane", "node");
          case BY_VOLUME -> Map.of("lane", "volume");
        };
    return new StackPlugin(
        id, PluginFeatures.all().withStage(false), 1, Access.MULTI_NODE, 0, policy);
  }

  private static LaneRun measure(BenchStack stack, LaneLoad load, int repetition)
      throws InterruptedException {
    stack.script().clear();
    stack.script().add(Rule.on(Rpc.CONTROLLER_PUBLISH).takes(Latency.fixed(load.rpc())));
    List<BenchVolume> volumes = load.volumes(repetition);
    stack.register(volumes);
    stack.pause(load.pluginIds());
    List<CompletableFuture<ClaimReply>> replies = stack.claim(volumes);
    stack.awaitQueued(load.pluginIds(), replies, FOR_QUEUE);
    stack.resume(load.pluginIds());
    BenchStack.awaitGranted(replies, PATIENCE);
    int lanes =
        switch (load.kind()) {
          case ONE -> 1;
          case MANY -> load.plugins();
          case BY_NODE -> load.nodes();
          case BY_VOLUME -> load.calls();
        };
    return LaneRun.of(stack.calls(Rpc.CONTROLLER_PUBLISH, volumes), lanes, load.ideal());
  }

  private static Map<String, String> settings(int rounds) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("repetitions", String.valueOf(rounds));
    settings.put("stream threads", String.valueOf(THREADS));
    settings.put("partitions", "those of the catalogue: 4 for volumes, 12 for plugins");
    settings.put("processes", "one: broker, registry, drivers, Streams application, worker, load");
    return settings;
  }
}
