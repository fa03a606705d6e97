package dev.berth.bench.isolation;

import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.script.Rule;
import dev.berth.producers.Saying;
import dev.berth.records.ClaimReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A plugin whose attaches are not answered for a time, so that its lane is busy all the while. */
final class HangingPlugin {
  static final String ID = "hanging";

  /** Calls in its lane (count). */
  static final int CALLS = 20;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final BenchStack stack;
  private final List<BenchVolume> volumes;
  private List<CompletableFuture<ClaimReply>> replies = List.of();

  HangingPlugin(BenchStack stack) throws InterruptedException {
    this.stack = stack;
    this.volumes =
        new ArrayList<>(
            IntStream.range(0, CALLS)
                .mapToObj(i -> new BenchVolume(ID + "." + i, ID, "n1", 0))
                .toList());
    stack.register(volumes);
  }

  /** Claims are made that are not answered. */
  void hang() {
    volumes.replaceAll(BenchVolume::again);
    volumes.forEach(
        volume -> stack.script().add(Rule.on(Rpc.CONTROLLER_PUBLISH).volume(volume.id()).hang()));
    replies = stack.claim(volumes);
  }

  /** It answers again; returns when all its claims are granted and ended. */
  void release() throws InterruptedException {
    stack.script().clear();
    BenchStack.awaitGranted(replies, PATIENCE);
    List<Saying> ends = volumes.stream().flatMap(it -> BenchStack.end(it).stream()).toList();
    CompletableFuture<Void> unused = stack.scheduler().say(ends, Optional.empty()).written();
  }
}
