package dev.berth.bench.failover;

import dev.berth.bench.load.OpenLoad;
import dev.berth.bench.load.Pacer;
import dev.berth.bench.system.BenchStack;
import dev.berth.bench.system.BenchVolume;
import dev.berth.producers.Saying;
import dev.berth.producers.Scheduler;
import dev.berth.records.ReplyOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Claims and ends of allocs in turn at fixed times, until it is told to end: each alloc ends some
 * time after it has claimed, granted or not. The volumes take turns. For one thread.
 */
final class SteadyLoad {
  /** How long an alloc lives. */
  private static final Duration LIFE = Duration.ofSeconds(2);

  private final Scheduler scheduler;
  private final Set<String> unmountedByClients;
  private final OpenLoad times;
  private final InstantSource clock;

  /** The sender's while it runs. */
  private final Allocs allocs;

  /** Guarded by this. */
  private final List<Asked> asked = new ArrayList<>();

  private volatile boolean ending;
  private Thread sender = new Thread(() -> {});

  private static final class Asked {
    private final BenchVolume volume;
    private final Instant at;
    private volatile Optional<Instant> granted = Optional.empty();

    Asked(BenchVolume volume, Instant at) {
      this.volume = volume;
      this.at = at;
    }
  }

  /**
   * A load that has not begun.
   *
   * @param volumes in the order in which they are claimed
   * @param unmountedByClients plugins whose volumes clients mount, and say when they have unmounted
   * @param perSecond claims and ends together (count)
   */
  SteadyLoad(
      Scheduler scheduler,
      List<BenchVolume> volumes,
      Set<String> unmountedByClients,
      int perSecond,
      InstantSource clock) {
    this.scheduler = scheduler;
    this.allocs = new Allocs(volumes, (int) (perSecond * LIFE.toMillis() / 2000));
    this.unmountedByClients = Set.copyOf(unmountedByClients);
    this.times = new OpenLoad(perSecond, Integer.MAX_VALUE);
    this.clock = clock;
  }

  /** Begins, also after an end; returns at once. */
  void begin() {
    ending = false;
    synchronized (this) {
      asked.clear();
    }
    sender = new Thread(this::send, "steady-load");
    sender.setDaemon(true);
    sender.start();
  }

  /** The claims since it began, in their order. */
  synchronized List<Claimed> claims() {
    return asked.stream().map(it -> new Claimed(it.volume, it.at, it.granted)).toList();
  }

  /** Ends: no more claims, and every alloc says that it has ended. */
  void end() throws InterruptedException {
    ending = true;
    sender.join();
    allocs.endAll().forEach(this::end);
  }

  private void send() {
    Pacer pacer = Pacer.system();
    long began = pacer.now();
    try {
      for (int number = 0; !ending; number++) {
        pacer.until(began + times.due(number).toNanos());
        if (number % 2 == 0) {
          claim(allocs.claim());
        } else {
          allocs.end().ifPresent(this::end);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void claim(BenchVolume volume) {
    Asked claim = new Asked(volume, clock.instant());
    synchronized (this) {
      asked.add(claim);
    }
    CompletableFuture<Void> unused =
        scheduler
            .say(List.of(BenchStack.claim(volume)), Optional.empty())
            .replies()
            .get(0)
            .thenAccept(
                reply -> {
                  if (reply.getOutcome() == ReplyOutcome.GRANTED) {
                    claim.granted = Optional.of(clock.instant());
                  }
                });
  }

  private void end(BenchVolume volume) {
    boolean byClient = unmountedByClients.contains(volume.plugin());
    // Of volumes that workers mount this would be a lie, and Berth would detach at once.
    List<Saying> sayings =
        BenchStack.end(volume).stream()
            .filter(saying -> byClient || !(saying instanceof Saying.Unmounted))
            .toList();
    CompletableFuture<Void> unused = scheduler.say(sayings, Optional.empty()).written();
  }
}
