package dev.berth.bench.policies;

import dev.berth.bench.Bench;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.report.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Berth and models of its peers on the same trace and the same simulated driver. */
public final class PoliciesBench implements Bench {
  private static final List<Double> LOADS = List.of(0.3, 0.6, 0.9, 1.2);
  private static final List<Double> QUICK_LOADS = List.of(0.3, 0.9);
  private static final int SEEDS = 5;
  private static final int QUICK_SEEDS = 2;

  private final PolicyTrials trials;

  /** The policies that are compared, by name. */
  static final Map<String, Policy.Maker> POLICIES = policies();

  /**
   * One run.
   *
   * @param policy name of the policy
   * @param load see {@link PolicyTrials#trial}
   * @param seed see {@link PolicyTrials#trial}
   */
  record Run(String policy, double load, long seed) {
    @Override
    public String toString() {
      return policy + " at load " + load;
    }
  }

  /** Trials of a trace. */
  public PoliciesBench(PolicyTrials trials) {
    this.trials = trials;
  }

  private static Map<String, Policy.Maker> policies() {
    Map<String, Policy.Maker> policies = new LinkedHashMap<>();
    policies.put("berth", world -> new BerthModel(world, "plugin"));
    policies.put("berth, node lanes", world -> new BerthModel(world, "node"));
    policies.put("nomad", NomadModel::new);
    policies.put("kubernetes", KubernetesModel::new);
    policies.put("swarm", SwarmModel::new);
    return policies;
  }

  @Override
  public String name() {
    return "policies";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) {
    long began = System.nanoTime();
    List<Double> loads = quick ? QUICK_LOADS : LOADS;
    int seeds = quick ? QUICK_SEEDS : SEEDS;
    Map<Run, Tally.Result> results = new LinkedHashMap<>();
    int total = POLICIES.size() * loads.size() * seeds;
    for (double load : loads) {
      for (long seed = 1; seed <= seeds; seed++) {
        Trial trial = trials.trial(load, seed);
        for (Map.Entry<String, Policy.Maker> policy : POLICIES.entrySet()) {
          Run run = new Run(policy.getKey(), load, seed);
          watch.next(results.size(), total, run);
          results.put(run, World.run(trial, policy.getValue()));
        }
      }
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new PolicyFindings(results, loads).section(settings(seeds), took);
  }

  private Map<String, String> settings(int seeds) {
    Trial trial = trials.trial(LOADS.get(0), 1);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("trace", trials.source());
    settings.put("uses", String.valueOf(trial.uses().size()));
    settings.put("nodes", String.valueOf(trial.nodes().size()));
    settings.put("trials for each load", String.valueOf(seeds));
    settings.put(
        "call",
        "log-normal, median %d ms, sigma %s"
            .formatted(DriverTimes.MEDIAN.toMillis(), DriverTimes.SIGMA));
    settings.put("failing", DriverTimes.FAILING * 100 + " %");
    settings.put("hop of Berth", BerthStreams.HOP + " ms");
    return settings;
  }

  /** Names of the policies, in their order. */
  static List<String> names() {
    return new ArrayList<>(POLICIES.keySet());
  }
}
