package dev.berth.producers.trace;

import dev.berth.producers.LiveAllocSource;
import dev.berth.producers.LiveAllocs;
import dev.berth.producers.Reconciler;
import dev.berth.producers.ReconcilerConfig;
import dev.berth.producers.Saying;
import dev.berth.producers.Scheduler;
import dev.berth.producers.Speaker;
import dev.berth.records.FeedPosition;
import dev.berth.records.OpenAlloc;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out a plan as a scheduler: says its events in order, waits for grants, says the ends.
 *
 * <p>Everything happens on the thread that calls {@link #run}; what completes elsewhere is queued
 * to it. There is no thread per alloc. The end of an alloc is said when it is due and the alloc was
 * granted; at full speed only the window holds back the claims, and since a plan never lets allocs
 * wait for each other in a ring, the window always moves.
 *
 * <p>Every transaction that claims or ends carries the position. After a crash another replay of
 * the same feed claims again what had claimed and not ended, which Berth answers from the row, says
 * what is left of ends that were half said, and goes on with the next event. Used once.
 */
public final class Replay {

  private static final Logger log = LoggerFactory.getLogger(Replay.class);
  private static final int SHOWN = 5;

  private final TracePlan plan;
  private final ReplayOptions options;
  private final Speaker speaker;
  private final Workload workload;
  private final Clock clock;
  private final LoopTime time;
  private final BlockingQueue<Runnable> signals = new LinkedBlockingQueue<>();
  private final Map<Integer, AllocReplay> live = new LinkedHashMap<>();
  // Read by the thread that reconciles.
  private final Set<String> liveIds = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> takenUp = new CompletableFuture<>();
  private final List<AllocReplay> begun = new ArrayList<>();
  private final int window;
  private final AllocReplay.Floor floor = new LoopFloor();
  private Consumer<ReplayProgress> progress = at -> {};
  private @Nullable ReplayFailedException failure;
  private long beganNanos;
  private long lastClaimNanos;
  private int nextStep;
  private int endedBefore;
  private int ended;

  /**
   * Prepares.
   *
   * @param speaker a scheduler that nobody else uses meanwhile
   * @param workload what clients do on their nodes
   * @param clock for the times shown to people
   */
  public Replay(
      TracePlan plan, ReplayOptions options, Speaker speaker, Workload workload, Clock clock) {
    this(plan, options, speaker, workload, clock, LoopTime.system());
  }

  Replay(
      TracePlan plan,
      ReplayOptions options,
      Speaker speaker,
      Workload workload,
      Clock clock,
      LoopTime time) {
    this.plan = plan;
    this.options = options;
    this.window = Math.max(options.window(), plan.mostLive() + 1);
    this.speaker = speaker;
    this.workload = workload;
    this.clock = clock;
    this.time = time;
  }

  /**
   * Replays from a position to the end of the plan, and returns when the last event is written.
   *
   * @param from where the feed stands, see {@link dev.berth.producers.FeedPositions}; empty to
   *     begin
   * @param whenEnded told of every alloc that has come to its end, on this thread
   * @throws ReplayFailedException when the position is of another trace, something could not be
   *     written or mounted, or nothing happened for too long
   * @throws InterruptedException when this thread is interrupted; another replay can go on
   */
  public ReplayResult run(Optional<FeedPosition> from, Consumer<ReplayProgress> whenEnded)
      throws InterruptedException {
    Ledger ledger = new Ledger(options.feed(), plan, from, clock);
    progress = whenEnded;
    beganNanos = time.nanoTime();
    endedBefore = ledger.ended();
    int resumed = resume(ledger);
    takenUp.complete(null);
    Duration first = beginning(ledger);
    while (nextStep < plan.steps().size() || !live.isEmpty()) {
      OptionalLong due = advance(ledger, first);
      if (nextStep < plan.steps().size() || !live.isEmpty()) {
        await(due);
      }
    }
    return new ReplayResult(
        begun.stream().flatMap(alloc -> alloc.claims().stream()).map(ClaimTrack::times).toList(),
        plan.allocs().size(),
        endedBefore,
        resumed,
        ended,
        Duration.ofNanos(time.nanoTime() - beganNanos));
  }

  /** Allocs that earlier runs of the feed had brought to their end (count). */
  public static int ended(Optional<FeedPosition> from) {
    return from.map(at -> Math.toIntExact(at.getPosition()) - at.getOpen().size()).orElse(0);
  }

  /**
   * The allocs that live now, for a {@link dev.berth.producers.Reconciler} that runs beside: claims
   * of earlier runs of the feed that nobody knows any more are found by it. Only allocs of the plan
   * are judged. The list waits until {@link #run} has taken up what was open.
   */
  public LiveAllocSource liveAllocs() {
    Set<String> planned =
        plan.allocs().stream().map(TraceAlloc::id).collect(Collectors.toUnmodifiableSet());
    return () -> {
      takenUp.get();
      return LiveAllocs.of(liveIds).among(planned);
    };
  }

  /** A reconciler of the replay's scheduler, which knows every alloc of the plan that lives. */
  public Reconciler reconciler(Scheduler scheduler) {
    // The list is right also when it is empty: then none lives.
    return Reconciler.of(scheduler, liveAllocs(), ReconcilerConfig.usual().withEmptyListAllowed());
  }

  /** Returns how many allocs claim again. */
  private int resume(Ledger ledger) {
    int resumed = 0;
    for (OpenAlloc open : ledger.open()) {
      AllocReplay alloc = begin(open.getNumber(), ledger);
      if (open.getEnded()) {
        alloc.unmountOnly(open);
      } else {
        begun.add(alloc);
        alloc.claim();
        resumed++;
      }
    }
    if (ledger.claimed() > 0) {
      log.info(
          "feed goes on feed={} claimed={} open={}",
          options.feed(),
          ledger.claimed(),
          ledger.open().size());
    }
    return resumed;
  }

  /** The trace time at which this run begins: that of its first claim, or of the last of all. */
  private Duration beginning(Ledger ledger) {
    List<TraceAlloc> allocs = plan.allocs();
    return allocs.isEmpty()
        ? Duration.ZERO
        : allocs.get(Math.min(ledger.claimed(), allocs.size() - 1)).claims();
  }

  /** Says what is due; returns when the next event is, if only time holds it back. */
  private OptionalLong advance(Ledger ledger, Duration first) {
    while (nextStep < plan.steps().size()) {
      TraceStep step = plan.steps().get(nextStep);
      boolean claims = step.kind() == TraceStep.Kind.CLAIM && step.alloc() >= ledger.claimed();
      long due = dueNanos(step, claims, first);
      if (due > time.nanoTime()) {
        return OptionalLong.of(due);
      }
      if (claims && live.size() >= window) {
        return OptionalLong.empty();
      }
      nextStep++;
      if (claims) {
        AllocReplay alloc = begin(step.alloc(), ledger);
        begun.add(alloc);
        lastClaimNanos = time.nanoTime();
        alloc.claim();
      } else if (step.kind() == TraceStep.Kind.END) {
        // An alloc that is not here has come to its end: in an earlier run, or by a rejection.
        AllocReplay alloc = live.get(step.alloc());
        if (alloc != null) {
          alloc.end();
        }
      }
    }
    return OptionalLong.empty();
  }

  private long dueNanos(TraceStep step, boolean claims, Duration first) {
    long due = beganNanos + options.pace().dueNanos(step.at().minus(first));
    return claims && !begun.isEmpty()
        ? Math.max(due, lastClaimNanos + options.pace().betweenClaimsNanos())
        : due;
  }

  private AllocReplay begin(int number, Ledger ledger) {
    AllocReplay alloc = new AllocReplay(plan.allocs().get(number), floor, ledger);
    live.put(number, alloc);
    liveIds.add(alloc.alloc().id());
    return alloc;
  }

  private void await(OptionalLong due) throws InterruptedException {
    // Only where no event has a time to come: then somebody owes an answer.
    boolean limited = due.isEmpty() && options.patience().isPresent();
    OptionalLong until =
        limited
            ? OptionalLong.of(time.nanoTime() + options.patience().orElseThrow().toNanos())
            : due;
    Runnable signal = time.next(signals, until);
    if (signal == null && limited) {
      throw new ReplayFailedException(
          "nothing happened for %d s; waited for: %s"
              .formatted(options.patience().orElseThrow().toSeconds(), waitedFor()),
          null);
    }
    while (signal != null) {
      signal.run();
      if (failure != null) {
        throw failure;
      }
      signal = signals.poll();
    }
  }

  private String waitedFor() {
    return live.values().stream()
        .filter(alloc -> !alloc.isRunning())
        .limit(SHOWN)
        .map(AllocReplay::waitsFor)
        .collect(Collectors.joining(", "));
  }

  private void fail(String what, Throwable reason) {
    Throwable cause =
        reason instanceof CompletionException && reason.getCause() != null
            ? reason.getCause()
            : reason;
    if (failure == null) {
      failure = new ReplayFailedException(what + ": " + cause.getMessage(), cause);
    }
  }

  /** The allocs' way to the loop. */
  private final class LoopFloor implements AllocReplay.Floor {

    @Override
    public Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> position) {
      Saying.Said said = speaker.say(sayings, position);
      when(said.written(), "an event could not be written", written -> {});
      return said;
    }

    // What completes here only queues, and that does not fail.
    @SuppressWarnings("FutureReturnValueIgnored")
    @Override
    public <T> void when(CompletableFuture<T> future, String what, Consumer<T> then) {
      future.whenComplete(
          (value, failed) ->
              signals.add(
                  () -> {
                    if (failed == null) {
                      then.accept(value);
                    } else {
                      fail(what, failed);
                    }
                  }));
    }

    @Override
    public void soon(Runnable action) {
      signals.add(action);
    }

    @Override
    public long now() {
      return time.nanoTime() - beganNanos;
    }

    @Override
    public Workload workload() {
      return workload;
    }

    @Override
    public void done(AllocReplay alloc) {
      live.remove(alloc.alloc().number());
      liveIds.remove(alloc.alloc().id());
      ended++;
      progress.accept(new ReplayProgress(endedBefore + ended, live.size(), plan.allocs().size()));
    }
  }
}
