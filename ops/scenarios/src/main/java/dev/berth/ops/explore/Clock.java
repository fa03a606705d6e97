package dev.berth.ops.explore;

import dev.berth.streams.cluster.ClusterEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time of a simulated world. */
final class Clock {
  private final Sim sim;

  Clock(Sim sim) {
    this.sim = sim;
  }

  /** Time passes, and what falls due on the way happens. */
  void pass(Duration time) {
    sim.deliveries().newsOfTheCluster();
    Instant end = sim.streams().now().plus(time);
    Instant next = nextDue();
    while (next != null && !next.isAfter(end)) {
      sim.streams().at(next.isAfter(sim.streams().now()) ? next : sim.streams().now());
      sim.provider().forgetWhatIsOver(sim::node, sim.streams().now());
      expire();
      sim.settle();
      sim.streams().due();
      sim.settle();
      Instant after = nextDue();
      // What cannot go on before a record arrives would be due for ever.
      next = after != null && !after.isAfter(sim.streams().now()) ? laterThanNow(end) : after;
    }
    sim.streams().at(end);
    sim.provider().forgetWhatIsOver(sim::node, end);
    sim.streams().decide(new ClusterEvent.Tick());
  }

  private @Nullable Instant laterThanNow(Instant end) {
    Instant soon = sim.streams().now().plusSeconds(1);
    return soon.isAfter(end) ? null : soon;
  }

  private @Nullable Instant nextDue() {
    Instant next = sim.streams().nextDue();
    for (OpenCall call : sim.workers().calls()) {
      next = next == null || call.until().isBefore(next) ? call.until() : next;
    }
    return next;
  }

  /** Workers give up the calls whose time has passed, and say so where they can. */
  private void expire() {
    for (OpenCall call : List.copyOf(sim.workers().calls())) {
      if (!call.until().isAfter(sim.streams().now())) {
        // No call of its run begins after one that was not answered.
        sim.workers().end(call, Ending.DEADLINE, sim.streams().now());
      }
    }
  }
}
