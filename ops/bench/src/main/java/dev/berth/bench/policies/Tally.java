package dev.berth.bench.policies;

import java.util.ArrayList;
import java.util.List;

/** What is counted while a policy runs. */
final class Tally {
  private final List<Double> waits = new ArrayList<>();
  private int rejected;
  private int calls;
  private int hostOverlaps;
  private int volumeOverlaps;
  private int premature;
  private long last;

  /**
   * What a run gave.
   *
   * @param waits waiting times of the uses that were granted (seconds), from the shortest
   * @param never uses that were neither granted nor lost with their node (count)
   * @param rejected of these: uses that were refused (count)
   * @param hostOverlaps calls made while another call of the plugin for the same node was open
   * @param volumeOverlaps calls made while another call for the same volume was open
   * @param premature detaches from under a workload that could still write
   * @param calls controller calls (count)
   * @param makespan from the beginning to the last grant or detach (seconds)
   */
  record Result(
      List<Double> waits,
      int never,
      int rejected,
      int hostOverlaps,
      int volumeOverlaps,
      int premature,
      int calls,
      double makespan) {
    Result {
      waits = List.copyOf(waits);
    }

    /** The waiting time that so many of a hundred do not exceed (seconds); 0 without any. */
    double waited(double percentile) {
      int rank = (int) Math.ceil(percentile / 100 * waits.size());
      return waits.isEmpty() ? 0 : waits.get(Math.max(0, rank - 1));
    }
  }

  void called(boolean sameHost, boolean sameVolume) {
    calls++;
    hostOverlaps += sameHost ? 1 : 0;
    volumeOverlaps += sameVolume ? 1 : 0;
  }

  void granted(long waitedMillis, long now) {
    waits.add(waitedMillis / 1000.0);
    last = now;
  }

  void rejected() {
    rejected++;
  }

  void detached(long now) {
    last = now;
  }

  void premature() {
    premature++;
  }

  Result result(int never) {
    return new Result(
        waits.stream().sorted().toList(),
        never,
        rejected,
        hostOverlaps,
        volumeOverlaps,
        premature,
        calls,
        last / 1000.0);
  }
}
