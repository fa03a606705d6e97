package dev.berth.producers.feed;

import dev.berth.producers.LiveAllocs;
import dev.berth.producers.Reconciler;
import dev.berth.producers.Scheduler;

/** Where complete lists of live allocs go. */
@FunctionalInterface
public interface Reconciling {

  /**
   * Says of the scheduler's claims whose allocs are not in a list that these are gone.
   *
   * @throws dev.berth.producers.ReconcileException when the claims cannot be read or something not
   *     be said; as every other failure, it ends the feed
   * @throws InterruptedException when this thread is interrupted
   */
  void against(LiveAllocs live) throws InterruptedException;

  /** Against the claims that Berth keeps. */
  static Reconciling of(Scheduler scheduler) {
    return live -> {
      var unused = Reconciler.of(scheduler, () -> live).reconcile();
    };
  }
}
