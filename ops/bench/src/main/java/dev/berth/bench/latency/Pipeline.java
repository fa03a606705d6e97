package dev.berth.bench.latency;

import dev.berth.bench.load.OpenLoad;
import dev.berth.bench.load.Pacer;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.producers.Saying;
import dev.berth.producers.Scheduler;
import dev.berth.records.ClaimReply;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Something that events go through until a plugin is called, or would be. */
public interface Pipeline {

  /**
   * Sends a load through it and returns when all of it has come through.
   *
   * @param volumes the volumes of the load, each with the alloc that uses it now
   * @throws InterruptedException when interrupted
   * @throws IllegalStateException when something does not come through
   */
  LatencyRun run(Lives lives, List<BenchVolume> volumes) throws InterruptedException;

  /** Who is told what is sent. */
  interface Sent {
    /**
     * A claim or an end is about to be written.
     *
     * @param way {@link Way#ATTACH} or {@link Way#DETACH}
     * @param due when it was due (nanoseconds, by the pacer's clock)
     */
    void sending(Way way, BenchVolume volume, long due);

    /** A claim that is measured was written; its reply will come. */
    default void asked(CompletableFuture<ClaimReply> reply, long due) {}
  }

  /**
   * Sends a load.
   *
   * @param sent told of each request that is measured
   * @return the longest time by which a request was sent late
   */
  static Duration send(Lives lives, List<BenchVolume> volumes, Scheduler scheduler, Sent sent)
      throws InterruptedException {
    OpenLoad load = lives.load();
    return load.run(
        Pacer.system(),
        (number, due) -> {
          Lives.Request request = lives.request(number);
          boolean measured = lives.measured(number);
          if (request instanceof Lives.Request.Claim claim) {
            BenchVolume volume = volumes.get(claim.volume());
            if (measured) {
              sent.sending(Way.ATTACH, volume, due);
            }
            CompletableFuture<ClaimReply> reply =
                scheduler.say(List.of(BenchStack.claim(volume)), Optional.empty()).replies().get(0);
            if (measured) {
              sent.asked(reply, due);
            }
          } else if (request instanceof Lives.Request.End end) {
            BenchVolume volume = volumes.get(end.volume());
            if (measured) {
              sent.sending(Way.DETACH, volume, due);
            }
            List<Saying> sayings = BenchStack.end(volume);
            CompletableFuture<Void> unused = scheduler.say(sayings, Optional.empty()).written();
          }
        });
  }
}
