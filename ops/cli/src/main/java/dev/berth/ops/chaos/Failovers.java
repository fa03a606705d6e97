package dev.berth.ops.chaos;

import dev.berth.driver.calls.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How long kills were felt. Pure.
 *
 * @param workers from the kill of a worker to the next controller call, of the lane that waited
 *     longest
 * @param streams from the kill of a Streams instance to the next decision, of the partition that
 *     waited longest
 */
record Failovers(List<Duration> workers, List<Duration> streams) {

  Failovers {
    workers = List.copyOf(workers);
    streams = List.copyOf(streams);
  }

  static Failovers of(Evidence evidence) {
    Map<String, List<Instant>> calls =
        evidence.calls().stream()
            .filter(call -> call.facts().rpc().isControllerWork())
            .collect(
                Collectors.groupingBy(
                    call -> call.facts().plugin(),
                    Collectors.mapping(Call::startedAt, Collectors.toList())));
    List<Duration> workers = new ArrayList<>();
    List<Duration> streams = new ArrayList<>();
    for (Strikes.Done done : evidence.strikes()) {
      if (done.fault().kind() == Fault.Kind.KILL) {
        if (Cluster.WORKERS.contains(done.fault().target())) {
          longest(calls, done.began()).ifPresent(workers::add);
        } else if (Cluster.STREAMS.contains(done.fault().target())) {
          longest(evidence.decidedAt(), done.began()).ifPresent(streams::add);
        }
      }
    }
    return new Failovers(workers, streams);
  }

  private static Optional<Duration> longest(Map<?, List<Instant>> moments, Instant from) {
    return moments.values().stream()
        .flatMap(of -> next(of, from).stream())
        .max(Duration::compareTo);
  }

  private static Optional<Duration> next(List<Instant> moments, Instant from) {
    return moments.stream()
        .filter(moment -> moment.isAfter(from))
        .min(Instant::compareTo)
        .map(moment -> Duration.between(from, moment));
  }
}
