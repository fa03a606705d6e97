package dev.berth.producers.trace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Volumes of one kind that one alloc uses at a time, in turn.
 *
 * <p>An alloc gets a volume that is free when it claims: a new one until there are enough, then the
 * one that has been free for longest. One that is to wait gets a volume that is in use, of one that
 * ends before it would itself: first one last used on another node, so that the volume moves, then
 * the one free soonest. So whoever waits is granted within its life, and a chain of waiting allocs
 * always begins at one that is granted.
 */
final class TurnPool {

  private final int enough;
  private final IntFunction<TraceVolume> volumes;
  private final List<Turns> all = new ArrayList<>();

  /**
   * Begins empty.
   *
   * @param enough how many volumes there are to be; more when nobody could be waited for
   * @param volumes makes the volume of a number, from 1
   */
  TurnPool(int enough, IntFunction<TraceVolume> volumes) {
    this.enough = enough;
    this.volumes = volumes;
  }

  /** The volume of an alloc, and whom it waits behind. */
  record Turn(TraceVolume volume, Optional<String> behind) {}

  /** Who wants a volume. */
  record Wish(String alloc, String node, Duration from, Duration until, boolean waits) {

    /** The same of one that is to wait, if there is somebody to wait for. */
    Wish thatWaits(boolean so) {
      return new Wish(alloc, node, from, until, so);
    }
  }

  Turn choose(Wish wish) {
    Turns turns = turns(wish);
    Optional<String> behind =
        turns.busyUntil.compareTo(wish.from()) > 0 ? turns.lastAlloc : Optional.empty();
    turns.busyUntil = wish.until();
    turns.lastAlloc = Optional.of(wish.alloc());
    turns.lastNode = wish.node();
    return new Turn(turns.volume, behind);
  }

  private Turns turns(Wish wish) {
    Optional<Turns> busy = wish.waits() ? soonestFree(wish) : Optional.empty();
    if (busy.isPresent()) {
      return busy.get();
    }
    if (all.size() >= enough) {
      Optional<Turns> free =
          all.stream()
              .filter(turns -> turns.busyUntil.compareTo(wish.from()) <= 0)
              .min(Comparator.comparing(turns -> turns.busyUntil));
      Optional<Turns> present = free.or(() -> soonestFree(wish));
      if (present.isPresent()) {
        return present.get();
      }
    }
    Turns added = new Turns(volumes.apply(all.size() + 1));
    all.add(added);
    return added;
  }

  private Optional<Turns> soonestFree(Wish wish) {
    return all.stream()
        .filter(turns -> turns.busyUntil.compareTo(wish.from()) > 0)
        .filter(turns -> turns.busyUntil.compareTo(wish.until()) < 0)
        .min(
            Comparator.comparing((Turns turns) -> turns.lastNode.equals(wish.node()))
                .thenComparing(turns -> turns.busyUntil));
  }

  /** One volume and who had it last. */
  private static final class Turns {
    private final TraceVolume volume;
    private Duration busyUntil = Duration.ZERO;
    private Optional<String> lastAlloc = Optional.empty();
    private String lastNode = "";

    Turns(TraceVolume volume) {
      this.volume = volume;
    }
  }
}
