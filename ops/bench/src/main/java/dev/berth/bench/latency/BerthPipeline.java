package dev.berth.bench.latency;

import dev.berth.bench.load.Pacer;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.Rpc;
import dev.berth.records.ClaimReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Berth itself; when a plugin was called is taken from the plugins' own log. */
public final class BerthPipeline implements Pipeline {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration LOOK = Duration.ofMillis(200);

  private final BenchStack stack;

  /** Berth as it runs there. */
  public BerthPipeline(BenchStack stack) {
    this.stack = stack;
  }

  @Override
  public LatencyRun run(Lives lives, List<BenchVolume> volumes) throws InterruptedException {
    LatencyRun.Notes notes = new LatencyRun.Notes(Way.values());
    Map<String, Instant> claimed = new HashMap<>();
    Map<String, Instant> ended = new HashMap<>();
    List<CompletableFuture<ClaimReply>> replies = new ArrayList<>();
    Pacer clock = Pacer.system();
    Instant began = Instant.now();
    Duration late =
        Pipeline.send(
            lives,
            volumes,
            stack.scheduler(),
            new Sent() {
              @Override
              public void sending(Way way, BenchVolume volume, long due) {
                (way == Way.ATTACH ? claimed : ended).put(volume.id(), wall(clock, due));
              }

              @Override
              public void asked(CompletableFuture<ClaimReply> reply, long due) {
                replies.add(
                    reply.whenComplete(
                        (answer, failure) ->
                            notes.add(Way.GRANT, Duration.ofNanos(clock.now() - due))));
              }
            });
    BenchStack.awaitGranted(replies, PATIENCE);
    List<Call> detaches = awaitDetached(volumes.size(), began);
    note(stack.calls(Rpc.CONTROLLER_PUBLISH, began), claimed, Way.ATTACH, notes);
    note(detaches, ended, Way.DETACH, notes);
    return notes.run(late, ReplySteps.read(stack.connection(), began));
  }

  private List<Call> awaitDetached(int volumes, Instant began) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<Call> detaches =
          stack.calls(Rpc.CONTROLLER_UNPUBLISH, began).stream().filter(Call::isOk).toList();
      if (detaches.size() >= volumes) {
        return detaches;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "%d of %d volumes were detached within %d s"
                .formatted(detaches.size(), volumes, PATIENCE.toSeconds()));
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
  }

  /** The first call of each volume counts; there is no other unless one failed. */
  private static void note(
      List<Call> calls, Map<String, Instant> due, Way way, LatencyRun.Notes notes) {
    for (Call call : calls) {
      Instant since = due.remove(call.facts().volume());
      if (since != null) {
        notes.add(way, Duration.between(since, call.startedAt()));
      }
    }
    if (!due.isEmpty()) {
      throw new IllegalStateException("no call was made for %d volumes".formatted(due.size()));
    }
  }

  /** The wall clock's time of a moment of the pacer's clock, close to now. */
  private static Instant wall(Pacer clock, long nanos) {
    return Instant.now().minusNanos(clock.now() - nanos);
  }
}
