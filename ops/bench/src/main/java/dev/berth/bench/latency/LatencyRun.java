package dev.berth.bench.latency;

import dev.berth.bench.load.Latencies;
import dev.berth.schemas.headers.Step;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What one repetition found.
 *
 * @param latencies by way; a way that the pipeline does not have is missing
 * @param lateness the longest time by which a request was sent late
 * @param steps by step on the way to a grant: how long after the one before; empty where the
 *     pipeline does not tell
 */
public record LatencyRun(
    Map<Way, Latencies> latencies, Duration lateness, Map<Step, Latencies> steps) {
  /** Keeps copies. */
  public LatencyRun {
    latencies = Map.copyOf(latencies);
    steps = Map.copyOf(steps);
  }

  /** Collects what comes, from any thread. */
  static final class Notes {
    private final Map<Way, Latencies> latencies = new EnumMap<>(Way.class);

    Notes(Way... ways) {
      for (Way way : ways) {
        latencies.put(way, new Latencies());
      }
    }

    void add(Way way, Duration latency) {
      Latencies known = latencies.get(way);
      if (known != null) {
        known.add(latency);
      }
    }

    LatencyRun run(Duration lateness) {
      return run(lateness, Map.of());
    }

    LatencyRun run(Duration lateness, Map<Step, Latencies> steps) {
      return new LatencyRun(latencies, lateness, steps);
    }
  }
}
