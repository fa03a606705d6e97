package dev.berth.bench.policies;

import dev.berth.producers.trace.Trace;
import dev.berth.producers.trace.TraceAlloc;
import dev.berth.producers.trace.TracePlan;
import dev.berth.producers.trace.TracePlugins;
import dev.berth.producers.trace.TraceUse;
import dev.berth.records.AccessMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Trials made of a trace. The trace has its own pace, mostly far too slow to make anybody wait:
 * long pauses are cut short, and then all of it is made faster or slower until the busiest plugin
 * would be busy for a given share of the time if it made one call at a time.
 */
public final class PolicyTrials {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final long BEGIN = Duration.ofMinutes(1).toMillis();
  private static final long HORIZON = Duration.ofHours(6).toMillis();
  private static final long OUTAGE_EVERY = Duration.ofHours(1).toMillis();
  private static final int MOST_OUTAGES = 50;
  private static final long REPLACED_AFTER = Duration.ofMinutes(30).toMillis();
  private static final long SHORTEST_CUT = Duration.ofMinutes(2).toMillis();
  private static final long LONGEST_CUT = Duration.ofMinutes(20).toMillis();

  private final String source;
  private final List<TraceAlloc> allocs;
  private final TreeMap<Duration, Long> shortened = new TreeMap<>();

  /** Trials made of a plan. */
  public PolicyTrials(TracePlan plan) {
    source = plan.trace().source();
    allocs = plan.allocs();
    shorten();
  }

  /** Trials made of the small trace that comes with Berth. */
  public static PolicyTrials ofSample() {
    return new PolicyTrials(TracePlan.of(Trace.sample(), TracePlugins.usual()));
  }

  /** The trace, for people: its files without their folders, which say nothing elsewhere. */
  String source() {
    return source.replaceAll("\\S*/", "");
  }

  /**
   * A trial.
   *
   * @param load share of the time in which the busiest plugin would be busy
   * @param seed of outages and of the driver
   */
  Trial trial(double load, long seed) {
    double pace = pace(load);
    List<Use> uses = new ArrayList<>();
    for (TraceAlloc alloc : allocs) {
      for (TraceUse use : alloc.uses()) {
        if (attaches(use)) {
          uses.add(use(alloc, use, pace));
        }
      }
    }
    uses.sort(Comparator.comparingLong(Use::claims).thenComparing(Use::id));
    TreeSet<String> nodes = new TreeSet<>();
    uses.forEach(use -> nodes.add(use.node()));
    long end = uses.stream().mapToLong(Use::ends).max().orElse(0);
    return new Trial(uses, outages(uses, end, seed), List.copyOf(nodes), seed, end + HORIZON);
  }

  /** Volumes that are only mounted need no controller, and nobody waits for one. */
  private static boolean attaches(TraceUse use) {
    return !use.volume().plugin().equals(TracePlugins.usual().files());
  }

  private static boolean exclusive(TraceUse use) {
    return use.volume().access() == AccessMode.SINGLE_NODE_WRITER;
  }

  private Use use(TraceAlloc alloc, TraceUse use, double pace) {
    return new Use(
        alloc.id() + "-" + use.volume().id(),
        use.volume().id(),
        use.volume().plugin(),
        alloc.node(),
        exclusive(use),
        BEGIN + at(alloc.claims(), pace),
        BEGIN + at(alloc.ends(), pace));
  }

  private long at(Duration traced, double pace) {
    return Math.round(shortened.getOrDefault(traced, 0L) * pace);
  }

  /** Every time of the trace, with the pauses before it cut short. */
  private void shorten() {
    TreeSet<Duration> times = new TreeSet<>();
    for (TraceAlloc alloc : allocs) {
      times.add(alloc.claims());
      times.add(alloc.ends());
    }
    Duration before = times.isEmpty() ? Duration.ZERO : times.first();
    long passed = 0;
    for (Duration time : times) {
      passed += Math.min(LONGEST_PAUSE.toMillis(), time.minus(before).toMillis());
      shortened.put(time, passed);
      before = time;
    }
  }

  /** Milliseconds of a trial for one of the shortened trace. */
  private double pace(double load) {
    Map<String, Double> work = new HashMap<>();
    for (TraceAlloc alloc : allocs) {
      for (TraceUse use : alloc.uses()) {
        if (attaches(use)) {
          work.merge(use.volume().plugin(), 2 * DriverTimes.meanMillis(), Double::sum);
        }
      }
    }
    double busiest = work.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    long first = allocs.stream().mapToLong(this::claimsAt).min().orElse(0);
    long last = allocs.stream().mapToLong(this::claimsAt).max().orElse(0);
    return last == first ? 1 : busiest / load / (last - first);
  }

  private long claimsAt(TraceAlloc alloc) {
    return shortened.getOrDefault(alloc.claims(), 0L);
  }

  /** Nodes that run something then: dead and only cut off in turn. */
  private static List<Outage> outages(List<Use> uses, long end, long seed) {
    Random random = new Random(seed);
    List<Outage> outages = new ArrayList<>();
    int count = (int) Math.max(2, Math.min(MOST_OUTAGES, end / OUTAGE_EVERY));
    for (int i = 0; i < count; i++) {
      long from = BEGIN + (end - BEGIN) * (i + 1) / (count + 1);
      List<Use> there =
          uses.stream().filter(use -> use.claims() < from && from < use.ends()).toList();
      long length =
          i % 2 == 0
              ? REPLACED_AFTER
              : SHORTEST_CUT + (long) (random.nextDouble() * (LONGEST_CUT - SHORTEST_CUT));
      if (!there.isEmpty()) {
        String node = there.get(random.nextInt(there.size())).node();
        outages.add(new Outage(node, from, from + length, i % 2 == 0));
      }
    }
    return outages;
  }
}
