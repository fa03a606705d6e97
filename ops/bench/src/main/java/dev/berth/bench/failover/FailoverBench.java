package dev.berth.bench.failover;

import dev.berth.bench.Bench;
import dev.berth.bench.failover.FailoverRun.Evidence;
import dev.berth.bench.failover.Victim.Way;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.report.Section;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.ops.chaos.Cluster;
import dev.berth.ops.stack.TemporaryData;
import dev.berth.ops.topics.RowsLeft;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Commands;
import dev.berth.producers.Scheduler;
import dev.berth.producers.SchedulerConfig;
import dev.berth.records.ClaimDecision;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Kills processes of Berth under a steady load, and measures until others have taken over. */
public final class FailoverBench implements Bench {
  private static final int VOLUMES = 400;
  private static final int PER_SECOND = 20;
  private static final Duration BEFORE = Duration.ofSeconds(4);

  /** For how long calls are counted after a kill. */
  private static final Duration WINDOW = Duration.ofSeconds(15);

  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration FOR_REST = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final InstantSource clock = InstantSource.system();

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    long began = System.nanoTime();
    int rounds = quick ? 1 : 5;
    List<Struck> cases =
        List.of(Struck.WORKER, Struck.BROKER, Struck.STREAMS_WITH_STANDBY, Struck.STREAMS_ALONE);
    Map<Struck, List<Measured<FailoverRun>>> runs;
    Timeouts timeouts;
    try (TemporaryData data = TemporaryData.create("berth-fail-", false);
        Deployment deployment = new Deployment(data.path(), cases.get(0));
        Scheduler scheduler =
            Scheduler.start(SchedulerConfig.of("bench", deployment.connection()))) {
      timeouts = deployment.timeouts();
      List<BenchVolume> volumes = volumes();
      try (Commands commands = Commands.start(deployment.connection())) {
        BenchStack.register(commands, volumes);
      }
      SteadyLoad load =
          new SteadyLoad(scheduler, volumes, Set.of(Cluster.BY_CLIENT), PER_SECOND, clock);
      deployment.prepare(cases.get(0));
      warmUp(deployment, load);
      runs =
          new Interleaving(new LoadMeter(), watch)
              .run(cases, rounds, struck -> measure(deployment, load, struck));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new FailoverFindings(runs, timeouts).section(settings(rounds, timeouts), took);
  }

  private static List<BenchVolume> volumes() {
    return IntStream.range(0, VOLUMES)
        .mapToObj(
            i ->
                new BenchVolume(
                    "v" + i,
                    Cluster.PLUGIN_IDS.get(i % Cluster.PLUGIN_IDS.size()),
                    Cluster.NODES.get(i % Cluster.NODES.size()),
                    0))
        .toList();
  }

  /** Until every way has been gone once: plugins are found, lanes are known. */
  private void warmUp(Deployment deployment, SteadyLoad load) throws InterruptedException {
    Victim all = deployment.victim(Struck.BROKER);
    load.begin();
    try {
      if (!awaitGrants(load, Instant.MIN, all, Duration.ZERO)) {
        throw new IllegalStateException(
            "claims are not granted %d s after the start".formatted(PATIENCE.toSeconds()));
      }
    } finally {
      load.end();
    }
  }

  private FailoverRun measure(Deployment deployment, SteadyLoad load, Struck struck)
      throws InterruptedException {
    deployment.prepare(struck);
    try (RowsLeft claims = new RowsLeft(deployment.connection(), Topic.CLAIMS)) {
      Set<String> left = claims.awaitNone(FOR_REST);
      if (!left.isEmpty()) {
        throw new IllegalStateException("claims of the load before are left: " + left);
      }
    }
    load.begin();
    try {
      TimeUnit.NANOSECONDS.sleep(BEFORE.toNanos());
      Victim victim = deployment.victim(struck);
      Map<String, Long> logs = deployment.logEnds();
      Instant kill = clock.instant();
      Duration away = deployment.kill(victim);
      boolean granted = awaitGrants(load, kill, victim, WINDOW);
      Restored restored = struck.isStreams() ? deployment.restoredSince(logs) : Restored.NOTHING;
      if (struck.isStreams() && granted && restored.stores() == 0) {
        throw new IllegalStateException(
            "another instance decides, and no log tells of a store that was taken over: has Kafka"
                + " Streams changed its words?");
      }
      List<Claimed> asked = load.claims();
      Evidence evidence = evidence(deployment, kill, victim, asked);
      return FailoverRun.of(
          evidence, ways(victim), restored, away, PATIENCE, (int) WINDOW.toSeconds());
    } finally {
      load.end();
    }
  }

  private static List<Way> ways(Victim victim) {
    return victim.ways(volumes());
  }

  /** Waits until claims that are asked from now on are granted on all ways, and for a time. */
  private boolean awaitGrants(SteadyLoad load, Instant since, Victim victim, Duration atLeast)
      throws InterruptedException {
    long began = System.nanoTime();
    boolean granted = false;
    for (long passed = 0; passed < PATIENCE.toNanos(); passed = System.nanoTime() - began) {
      granted =
          granted || FailoverRun.granted(since, victim, load.claims()).containsAll(ways(victim));
      if (granted && passed >= atLeast.toNanos()) {
        return true;
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
    return granted;
  }

  private static Evidence evidence(
      Deployment deployment, Instant kill, Victim victim, List<Claimed> claims) {
    Map<String, BenchVolume> volumes =
        volumes().stream().collect(Collectors.toMap(BenchVolume::id, volume -> volume));
    Map<String, List<Instant>> attaches = new HashMap<>();
    List<Instant> calls = new ArrayList<>();
    for (Call call : deployment.calls()) {
      BenchVolume volume = volumes.get(call.facts().volume());
      if (volume != null && victim.serves(volume) && call.facts().rpc().isControllerWork()) {
        calls.add(call.startedAt());
        if (call.facts().rpc() == Rpc.CONTROLLER_PUBLISH) {
          attaches.computeIfAbsent(volume.id(), id -> new ArrayList<>()).add(call.startedAt());
        }
      }
    }
    Map<String, List<Instant>> decisions = new HashMap<>();
    try (TopicContent content = new TopicContent(deployment.connection())) {
      content.forEach(
          Topic.CLAIM_HISTORY,
          ClaimDecision.class,
          entry ->
              entry
                  .value()
                  .ifPresent(
                      decision ->
                          decisions
                              .computeIfAbsent(volume(entry.key()), id -> new ArrayList<>())
                              .add(decision.getNow())));
    }
    return new Evidence(kill, victim, claims, decisions, attaches, calls);
  }

  private static String volume(String key) {
    return key.substring(key.indexOf('/') + 1);
  }

  private static Map<String, String> settings(int rounds, Timeouts timeouts) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("repetitions", String.valueOf(rounds));
    settings.put("Streams instances", String.valueOf(Cluster.STREAMS.size()));
    settings.put("workers", String.valueOf(Deployment.WORKERS));
    settings.put("brokers", "1");
    settings.put("plugins", String.valueOf(Cluster.PLUGIN_IDS.size()));
    settings.put("volumes", String.valueOf(VOLUMES));
    settings.put("events per second, claims and ends", String.valueOf(PER_SECOND));
    settings.put("longest call", Deployment.LONGEST_CALL.toMillis() + " ms");
    settings.put("session of a worker", timeouts.worker().toMillis() + " ms");
    settings.put("session of a Streams instance", timeouts.streams().toMillis() + " ms");
    settings.put("transaction timeout", timeouts.transaction().toMillis() + " ms");
    settings.put("broker sweep", timeouts.sweep().toMillis() + " ms");
    return settings;
  }
}
