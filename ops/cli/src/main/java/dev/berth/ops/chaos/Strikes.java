package dev.berth.ops.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Carries out a schedule on a cluster, and notes when what was done. For one thread. */
final class Strikes {

  /**
   * A fault as it was done.
   *
   * @param fault what was scheduled
   * @param began when the process was struck
   * @param ended when it was told to go on, or started again
   */
  record Done(Fault fault, Instant began, Instant ended) {}

  private record Step(Duration at, Fault fault, boolean begins, Instant began) {}

  private final Cluster cluster;
  private final InstantSource clock;
  private final List<Done> done = new ArrayList<>();
  private final PriorityQueue<Step> steps = new PriorityQueue<>(Comparator.comparing(Step::at));

  Strikes(Cluster cluster, InstantSource clock) {
    this.cluster = cluster;
    this.clock = clock;
  }

  /**
   * Strikes until the length of the schedule has passed, and as much more as a roll took longer;
   * every process runs again then.
   *
   * @param said told each fault as it comes
   */
  List<Done> run(ChaosSchedule schedule, Consumer<Fault> said) throws InterruptedException {
    schedule.faults().forEach(f -> steps.add(new Step(f.at(), f, true, Instant.EPOCH)));
    long start = System.nanoTime();
    while (!steps.isEmpty()) {
      Step step = steps.remove();
      await(start, step.at());
      if (step.begins()) {
        said.accept(step.fault());
        Instant began = clock.instant();
        Duration end = step.at().plus(step.fault().lasts());
        begin(step.fault());
        if (step.fault().kind() == Fault.Kind.ROLL) {
          // Nothing else is due meanwhile; what follows keeps its distance from the roll's end.
          start += Math.max(0, System.nanoTime() - start - end.toNanos());
        }
        steps.add(new Step(end, step.fault(), false, began));
      } else {
        end(step.fault());
        done.add(new Done(step.fault(), step.began(), clock.instant()));
      }
    }
    await(start, schedule.length());
    return List.copyOf(done);
  }

  private static void await(long start, Duration at) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(at.toNanos() - (System.nanoTime() - start));
  }

  private void begin(Fault fault) throws InterruptedException {
    switch (fault.kind()) {
      case KILL -> cluster.child(fault.target()).kill();
      case STOP -> cluster.child(fault.target()).signal("STOP");
      case RESTART -> cluster.child(fault.target()).end();
      case ROLL -> cluster.roll();
    }
  }

  private void end(Fault fault) throws InterruptedException {
    switch (fault.kind()) {
      case KILL, RESTART -> cluster.child(fault.target()).startAgain();
      case STOP -> cluster.child(fault.target()).signal("CONT");
      case ROLL -> {
        // Each process has been started again in its turn.
      }
    }
  }
}
