package dev.berth.bench.isolation;

import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Rule;
import dev.berth.producers.Saying;
import dev.berth.records.ClaimReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Many detaches of one plugin wait in its lane when one attach comes. */
final class DetachBurst {
  static final String PLUGIN = "burst";
  static final Duration CALL = Duration.ofMillis(500);

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(100);

  private final int detaches;
  private int repetition;

  DetachBurst(int detaches) {
    this.detaches = detaches;
  }

  /**
   * How the attach fared.
   *
   * @param waited from the claim to the start of the attach
   * @param before detaches that began in between (count)
   */
  record Found(Duration waited, int before) {
    /** The wait in times of a call. */
    double calls() {
      return waited.toNanos() / (double) CALL.toNanos();
    }
  }

  int detaches() {
    return detaches;
  }

  Found run(BenchStack stack, String node) throws InterruptedException {
    repetition++;
    List<BenchVolume> held = new ArrayList<>();
    IntStream.range(0, detaches)
        .forEach(
            i ->
                held.add(
                    new BenchVolume("%s.%d-%d".formatted(PLUGIN, repetition, i), PLUGIN, node, 1)));
    BenchVolume one = new BenchVolume("%s.%d-one".formatted(PLUGIN, repetition), PLUGIN, node, 1);
    atOnce(stack);
    stack.register(held);
    stack.register(List.of(one));
    BenchStack.awaitGranted(stack.claim(held), PATIENCE);

    stack.script().clear();
    stack.script().add(Rule.on().takes(Latency.fixed(CALL)));
    List<Saying> ends = held.stream().flatMap(it -> BenchStack.end(it).stream()).toList();
    CompletableFuture<Void> unused = stack.scheduler().say(ends, Optional.empty()).written();
    awaitHalfInLine(stack);
    Instant claimed = Instant.now();
    List<CompletableFuture<ClaimReply>> reply = stack.claim(List.of(one));
    BenchStack.awaitGranted(reply, PATIENCE);
    Call attach = stack.calls(Rpc.CONTROLLER_PUBLISH, List.of(one)).get(0);
    long before =
        stack.calls(Rpc.CONTROLLER_UNPUBLISH, held).stream()
            .filter(call -> call.startedAt().isAfter(claimed))
            .filter(call -> call.startedAt().isBefore(attach.startedAt()))
            .count();
    atOnce(stack);
    awaitDetached(stack, held);
    return new Found(Duration.between(claimed, attach.startedAt()), (int) before);
  }

  /** The driver's own time holds for all calls again. */
  void end(BenchStack stack) {
    stack.script().clear();
  }

  private static void atOnce(BenchStack stack) {
    stack.script().clear();
    stack.script().add(Rule.on().takes(Latency.none()));
  }

  private void awaitHalfInLine(BenchStack stack) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (stack.inLine(List.of(PLUGIN)) < detaches / 2) {
      pause(deadline, "the detaches are not in line");
    }
  }

  private void awaitDetached(BenchStack stack, List<BenchVolume> held) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (stack.calls(Rpc.CONTROLLER_UNPUBLISH, held).stream().filter(Call::isOk).count()
        < detaches) {
      pause(deadline, "the volumes are not detached");
    }
  }

  private static void pause(long deadline, String what) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new IllegalStateException(what + " after " + PATIENCE.toMinutes() + " min");
    }
    TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
  }

  @Override
  public String toString() {
    return detaches + " detaches and an attach";
  }
}
