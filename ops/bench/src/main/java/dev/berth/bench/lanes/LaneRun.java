package dev.berth.bench.lanes;

import dev.berth.driver.calls.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * What became of a load, as the plugins saw it.
 *
 * @param calls calls (count)
 * @param makespan from the start of the first call to the end of the last one
 * @param inCalls the times of all calls together
 * @param shortest the shortest time in which it could have been done with the calls' own times
 */
record LaneRun(int calls, Duration makespan, Duration inCalls, Duration shortest) {

  /**
   * The run of calls.
   *
   * @param lanes how many lanes share the calls (count)
   * @param ideal the shortest time by the plan
   * @throws IllegalStateException when a call has failed or not ended
   */
  static LaneRun of(List<Call> calls, int lanes, Duration ideal) {
    calls.stream()
        .filter(call -> !call.isOk())
        .findFirst()
        .ifPresent(
            bad -> {
              throw new IllegalStateException("a call of the bench failed: " + bad.describe());
            });
    Instant first =
        calls.stream().map(Call::startedAt).min(Comparator.naturalOrder()).orElseThrow();
    Instant last = calls.stream().map(LaneRun::end).max(Comparator.naturalOrder()).orElseThrow();
    Duration inCalls =
        calls.stream()
            .map(call -> Duration.between(call.startedAt(), end(call)))
            .reduce(Duration.ZERO, Duration::plus);
    Duration shortest = lanes == 1 ? inCalls : ideal;
    return new LaneRun(calls.size(), Duration.between(first, last), inCalls, shortest);
  }

  private static Instant end(Call call) {
    return call.end().orElseThrow().at();
  }

  /** The share of the makespan that could not be shorter, 0 to 1. */
  double utilisation() {
    return seconds(shortest) / seconds(makespan);
  }

  /** Calls per second. */
  double rate() {
    return calls / seconds(makespan);
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
