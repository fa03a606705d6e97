package dev.berth.ops.demo;

import dev.berth.ops.topics.Tombstones;
import dev.berth.producers.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a script against Berth as a scheduler and its clients would: a thread per alloc that
 * lives, since each of them mostly waits. The first failure ends all of them.
 */
final class DemoRun {

  private final DemoScript script;
  private final Duration patience;
  private final IntConsumer progress;
  private final Map<String, AllocLife> lives = new LinkedHashMap<>();
  private final CompletableFuture<Void> failed = new CompletableFuture<>();
  private final AtomicInteger ended = new AtomicInteger();

  /**
   * What an alloc's life touches.
   *
   * @param scheduler speaks to Berth
   * @param clients mount where no worker does
   * @param claims the claim table, for the rows that go
   * @param clientMounts tells by plugin whether clients mount its volumes
   * @param nanoTime as {@link System#nanoTime}
   */
  record World(
      Scheduler scheduler,
      NodeClients clients,
      Tombstones claims,
      Predicate<String> clientMounts,
      LongSupplier nanoTime) {}

  /**
   * Prepares a run.
   *
   * @param patience longest time any one step may take
   * @param progress told how many allocs have come to their end
   */
  DemoRun(DemoScript script, World world, Duration patience, IntConsumer progress) {
    this.script = script;
    this.patience = patience;
    this.progress = progress;
    script.allocs().forEach(alloc -> lives.put(alloc.id(), new AllocLife(alloc, this, world)));
  }

  /**
   * Runs every alloc from its claim to the release.
   *
   * @return what went wrong; empty when the script came to its end
   */
  Optional<String> run() throws InterruptedException {
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "alloc");
              thread.setDaemon(true);
              return thread;
            });
    try {
      lives.values().forEach(life -> begin(life, threads));
      CompletableFuture<?>[] ends =
          lives.values().stream().map(AllocLife::ended).toArray(CompletableFuture<?>[]::new);
      CompletableFuture.anyOf(CompletableFuture.allOf(ends), failed).get();
      return Optional.empty();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return Optional.of(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    } finally {
      threads.shutdownNow();
    }
  }

  /** What became of the claims so far. */
  List<ClaimStory> stories() {
    List<ClaimStory> stories = new ArrayList<>();
    lives.values().forEach(life -> stories.addAll(life.stories()));
    return stories;
  }

  /** When the first claim was granted, as {@link World#nanoTime}; empty when none was. */
  Optional<Long> firstGrantAt() {
    return lives.values().stream()
        .map(AllocLife::grantedAt)
        .flatMap(Optional::stream)
        .min(Long::compare);
  }

  /** Those that this alloc must keep waiting. */
  List<AllocLife> waitingBehind(DemoAlloc holder) {
    return script.waitingBehind(holder).stream().map(alloc -> life(alloc.id())).toList();
  }

  /**
   * Waits for something, or for the failure of anything.
   *
   * @param what in words, for the message
   * @throws DemoFailure when it takes too long, or something has failed
   */
  <T> T await(CompletableFuture<T> future, String what) throws InterruptedException {
    var unused = within(patience, CompletableFuture.anyOf(future, failed), what);
    return future.join();
  }

  /**
   * Waits for something.
   *
   * @param what in words, for the message
   * @throws DemoFailure when it takes too long or fails
   */
  static <T> T within(Duration patience, CompletableFuture<T> future, String what)
      throws InterruptedException {
    try {
      return future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new DemoFailure("%s: %s".formatted(what, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new DemoFailure("%s: nothing after %d s".formatted(what, patience.toSeconds()), e);
    }
  }

  private void begin(AllocLife life, ExecutorService threads) {
    DemoStart start = life.alloc().start();
    CompletableFuture<Void> due;
    if (start instanceof DemoStart.Beside beside) {
      due = life(beside.other()).running();
    } else if (start instanceof DemoStart.BehindHolder behind) {
      due = life(behind.other()).running();
    } else if (start instanceof DemoStart.AfterRelease after) {
      due = life(after.other()).ended();
    } else {
      due = CompletableFuture.completedFuture(null);
    }
    var unused = due.thenRunAsync(() -> live(life), threads);
  }

  private void live(AllocLife life) {
    try {
      life.live();
      progress.accept(ended.incrementAndGet());
    } catch (InterruptedException e) {
      // The run is over; nobody waits for this alloc any more.
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed.completeExceptionally(e);
    }
  }

  private AllocLife life(String alloc) {
    @Nullable AllocLife life = lives.get(alloc);
    if (life == null) {
      throw new IllegalStateException("the script speaks of alloc " + alloc + " and has none");
    }
    return life;
  }
}
