package dev.berth.bench.failover;

import dev.berth.bench.system.BenchVolume;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Which alloc claims next, and which ends: volumes take turns, and so do their allocs. */
final class Allocs {
  private final List<BenchVolume> volumes;
  private final int alive;
  private final Deque<BenchVolume> living = new ArrayDeque<>();
  private int next;

  /**
   * Nobody has claimed yet.
   *
   * @param volumes in the order in which they are claimed; each is given its next alloc
   * @param alive how many allocs live at a time (count)
   */
  Allocs(List<BenchVolume> volumes, int alive) {
    this.volumes = new ArrayList<>(volumes);
    this.alive = alive;
  }

  /** The volume that is claimed next, with its next alloc. */
  BenchVolume claim() {
    BenchVolume volume = volumes.get(next).again();
    volumes.set(next, volume);
    next = (next + 1) % volumes.size();
    living.add(volume);
    return volume;
  }

  /** The volume whose alloc ends, the oldest one; empty while not more than enough live. */
  Optional<BenchVolume> end() {
    return living.size() > alive ? Optional.of(living.remove()) : Optional.empty();
  }

  /** All that live still, and then none. */
  List<BenchVolume> endAll() {
    List<BenchVolume> left = List.copyOf(living);
    living.clear();
    return left;
  }
}
