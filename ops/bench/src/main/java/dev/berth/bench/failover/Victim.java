package dev.berth.bench.failover;

import dev.berth.bench.system.BenchVolume;
import dev.berth.schemas.topics.Keys;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * A process, and what it serves when it is killed.
 *
 * @param process its name
 * @param volumes partitions of volumes that it decides
 * @param plugins plugins whose calls it gives out, or makes
 * @param partitions partitions of volumes that there are (count)
 */
record Victim(String process, Set<Integer> volumes, Set<String> plugins, int partitions) {
  Victim {
    volumes = Set.copyOf(volumes);
    plugins = Set.copyOf(plugins);
  }

  /**
   * Claims that go the same way: by one partition of volumes, through the lane of one plugin.
   *
   * @param partition of the volume
   */
  record Way(String plugin, int partition) {}

  /** The way of the claims on a volume. */
  Way way(BenchVolume volume) {
    String key = Keys.volume(BenchVolume.NAMESPACE, volume.id());
    return new Way(volume.plugin(), Keys.partition(key, partitions));
  }

  /** Whether it is in the way of a claim on this volume. */
  boolean serves(BenchVolume volume) {
    return serves(way(volume));
  }

  /** The ways of some volumes that lead through it. */
  List<Way> ways(Collection<BenchVolume> all) {
    return all.stream().map(this::way).distinct().filter(this::serves).toList();
  }

  private boolean serves(Way way) {
    return volumes.contains(way.partition()) || plugins.contains(way.plugin());
  }
}
