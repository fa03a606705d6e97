package dev.berth.producers.trace;

import dev.berth.records.JobType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The making of a {@link TracePlan}: one walk through the trace's time. Used once. */
final class Planning {

  private final Trace trace;
  private final Duration traceEnd;
  private final BestFit nodes;
  private final VolumeChoice volumes;
  private final List<TraceAlloc> allocs = new ArrayList<>();
  private final Map<Integer, TraceAlloc> allocOfPod = new HashMap<>();
  private final List<TraceStep> steps = new ArrayList<>();
  private final List<String> unplaced = new ArrayList<>();
  private final Map<String, TraceVolume> used = new TreeMap<>();

  Planning(Trace trace, TracePlugins plugins) {
    this.trace = trace;
    this.traceEnd =
        trace.pods().stream()
            .flatMap(pod -> Stream.concat(pod.scheduled().stream(), pod.deleted().stream()))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
    this.nodes = new BestFit(trace.nodes());
    this.volumes = new VolumeChoice(plugins, scheduledPods());
  }

  /**
   * A pod's claim or end.
   *
   * @param rank at one time first ends, then claims, then ends of pods that claimed only then
   * @param pod its place in the file
   */
  private record Moment(Duration at, int rank, int pod) {
    static final int END = 0;
    static final int CLAIM = 1;
    static final int END_AT_ONCE = 2;
    static final Comparator<Moment> ORDER =
        Comparator.comparing(Moment::at).thenComparing(Moment::rank).thenComparing(Moment::pod);
  }

  TracePlan plan() {
    for (Moment moment : moments()) {
      if (moment.rank() == Moment.CLAIM) {
        claim(moment.pod());
      } else {
        end(moment.pod());
      }
    }
    return new TracePlan(
        trace,
        nodes.used(),
        List.copyOf(used.values()),
        allocs,
        steps,
        trace.pods().size() - scheduledPods(),
        unplaced);
  }

  private List<Moment> moments() {
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < trace.pods().size(); i++) {
      TracePod pod = trace.pods().get(i);
      if (pod.scheduled().isPresent()) {
        Duration claims = pod.scheduled().get();
        Duration ends = ends(pod);
        moments.add(new Moment(claims, Moment.CLAIM, i));
        moments.add(new Moment(ends, ends.equals(claims) ? Moment.END_AT_ONCE : Moment.END, i));
      }
    }
    moments.sort(Moment.ORDER);
    return moments;
  }

  private void claim(int place) {
    TracePod pod = trace.pods().get(place);
    Optional<String> node = nodes.place(pod);
    if (node.isEmpty()) {
      unplaced.add(pod.name());
      return;
    }
    PodName name = PodName.of(pod.name(), place);
    Duration claims = pod.scheduled().orElseThrow();
    VolumeChoice.Choice choice =
        volumes.of(name, new TurnPool.Wish(pod.name(), node.get(), claims, ends(pod), false));
    choice.uses().forEach(use -> used.put(use.volume().id(), use.volume()));
    TraceAlloc alloc =
        new TraceAlloc(
            allocs.size(),
            pod.name(),
            node.get(),
            choice.uses(),
            name.family(),
            jobType(pod),
            claims,
            ends(pod),
            end(pod, name),
            choice.behind());
    allocs.add(alloc);
    allocOfPod.put(place, alloc);
    steps.add(new TraceStep(claims, TraceStep.Kind.CLAIM, alloc.number()));
  }

  private void end(int place) {
    TraceAlloc alloc = allocOfPod.get(place);
    if (alloc == null) {
      return;
    }
    nodes.free(trace.pods().get(place), alloc.node());
    steps.add(new TraceStep(alloc.ends(), TraceStep.Kind.END, alloc.number()));
  }

  private Duration ends(TracePod pod) {
    return pod.deleted().orElse(traceEnd);
  }

  private int scheduledPods() {
    return (int) trace.pods().stream().filter(pod -> pod.scheduled().isPresent()).count();
  }

  private static TraceEnd end(TracePod pod, PodName name) {
    if (pod.phase().equals("Failed")) {
      return TraceEnd.FAILS;
    }
    return switch ((int) (name.number() % 3)) {
      case 0 -> TraceEnd.IS_STOPPED;
      case 1 -> TraceEnd.UNMOUNTS_FIRST;
      default -> TraceEnd.COMPLETES;
    };
  }

  private static JobType jobType(TracePod pod) {
    return switch (pod.qos()) {
      case "LS", "Guaranteed" -> JobType.SERVICE;
      case "BE", "Burstable" -> JobType.BATCH;
      default -> JobType.OTHER;
    };
  }
}
