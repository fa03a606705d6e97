package dev.berth.ops.demo;

import dev.berth.ops.stack.StackPlugin;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * What the demonstration does, decided before it begins: the same size and seed give the same
 * script.
 *
 * <p>Volumes, in turn: every fifth and the one before it of {@code nfs}, the three before those of
 * {@code ebs}, {@code gce} and {@code ebs}.
 *
 * <ul>
 *   <li>{@code ebs}: one writer on one node. Attached by a controller; node workers mount.
 *   <li>{@code gce}: in turn one writer on one node, and many writers on many nodes. Attached by a
 *       controller; the clients mount, and report when they have unmounted.
 *   <li>{@code nfs}: in turn many writers, and one writer with readers beside it. Never attached;
 *       the clients mount.
 * </ul>
 *
 * <p>Allocs take the volumes in turn. Where a volume has one writer, its next writer waits behind
 * the present one (two times in three) or comes when the volume is free. Others share. Every eighth
 * alloc uses a second, shared volume. A quarter of the allocs fail, a quarter are stopped, a
 * quarter unmount before they report their end, and a quarter just complete.
 *
 * @param size what it was made from
 * @param nodes node ids
 * @param volumes volumes to register
 * @param allocs allocs in the order of their making; each starts at once or after an earlier one
 */
public record DemoScript(
    DemoSize size, List<String> nodes, List<DemoVolume> volumes, List<DemoAlloc> allocs) {

  /** Namespace of all volumes. */
  public static final String NAMESPACE = "demo";

  private static final List<String> PLUGIN_OF_VOLUME =
      List.of(StackPlugin.EBS, StackPlugin.GCE, StackPlugin.EBS, StackPlugin.NFS, StackPlugin.NFS);
  private static final List<DemoEnd> ENDS = List.of(DemoEnd.values());
  private static final int SHORTEST_RUN_MILLIS = 100;
  private static final int LONGEST_RUN_MILLIS = 500;
  private static final int EVERY_SO_MANY_USE_TWO = 8;

  /** Copies its lists. */
  public DemoScript {
    nodes = List.copyOf(nodes);
    volumes = List.copyOf(volumes);
    allocs = List.copyOf(allocs);
  }

  /** The script of this size. */
  public static DemoScript of(DemoSize size) {
    List<String> nodes = IntStream.rangeClosed(1, size.nodes()).mapToObj(i -> "n" + i).toList();
    List<DemoVolume> volumes = volumes(size.volumes());
    return new DemoScript(size, nodes, volumes, new Writing(size, nodes, volumes).allocs());
  }

  /** How many claims there will be (count). */
  public int claims() {
    return allocs.stream().mapToInt(alloc -> alloc.uses().size()).sum();
  }

  /** The allocs that wait behind this one. */
  public List<DemoAlloc> waitingBehind(DemoAlloc holder) {
    return allocs.stream()
        .filter(alloc -> alloc.waits() && alloc.start().alloc().equals(Optional.of(holder.id())))
        .toList();
  }

  private static List<DemoVolume> volumes(int count) {
    List<DemoVolume> volumes = new ArrayList<>();
    Map<String, Integer> ofPlugin = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String plugin = PLUGIN_OF_VOLUME.get(i % PLUGIN_OF_VOLUME.size());
      int number = ofPlugin.merge(plugin, 1, Integer::sum);
      String id = "%s-%02d".formatted(plugin, number);
      volumes.add(new DemoVolume(id, plugin, "vol-" + id, access(plugin, number)));
    }
    return volumes;
  }

  private static AccessMode access(String plugin, int number) {
    boolean odd = number % 2 == 1;
    return switch (plugin) {
      case StackPlugin.EBS -> AccessMode.SINGLE_NODE_WRITER;
      case StackPlugin.GCE ->
          odd ? AccessMode.SINGLE_NODE_WRITER : AccessMode.MULTI_NODE_MULTI_WRITER;
      default -> odd ? AccessMode.MULTI_NODE_MULTI_WRITER : AccessMode.MULTI_NODE_SINGLE_WRITER;
    };
  }

  /** The making of the allocs. */
  private static final class Writing {
    private final RandomGenerator random;
    private final DemoSize size;
    private final List<String> nodes;
    private final List<DemoVolume> volumes;
    private final List<DemoVolume> shared;
    // By volume: the last alloc that uses it, and the last that writes where only one may.
    private final Map<DemoVolume, String> lastUser = new HashMap<>();
    private final Map<DemoVolume, String> lastWriter = new HashMap<>();

    private Writing(DemoSize size, List<String> nodes, List<DemoVolume> volumes) {
      this.random = new SplittableRandom(size.seed());
      this.size = size;
      this.nodes = nodes;
      this.volumes = volumes;
      this.shared =
          volumes.stream()
              .filter(volume -> volume.plugin().equals(StackPlugin.NFS) && !volume.oneWriter())
              .toList();
    }

    List<DemoAlloc> allocs() {
      return IntStream.range(0, size.allocs()).mapToObj(this::alloc).toList();
    }

    private DemoAlloc alloc(int index) {
      String id = "alloc-%03d".formatted(index + 1);
      DemoVolume volume = volumes.get(index % volumes.size());
      List<DemoUse> uses = new ArrayList<>();
      uses.add(new DemoUse(volume, mode(volume)));
      if (index % EVERY_SO_MANY_USE_TWO == EVERY_SO_MANY_USE_TWO - 1) {
        second(volume).ifPresent(other -> uses.add(new DemoUse(other, ClaimMode.WRITE)));
      }
      DemoStart start = start(uses.get(0));
      remember(id, uses.get(0));
      return new DemoAlloc(
          id,
          nodes.get(random.nextInt(nodes.size())),
          uses,
          start,
          Duration.ofMillis(random.nextInt(SHORTEST_RUN_MILLIS, LONGEST_RUN_MILLIS + 1)),
          ENDS.get(random.nextInt(ENDS.size())));
    }

    /** Where one writes and many read, every second one reads. */
    private ClaimMode mode(DemoVolume volume) {
      boolean reads =
          volume.access() == AccessMode.MULTI_NODE_SINGLE_WRITER
              && lastWriter.containsKey(volume)
              && random.nextBoolean();
      return reads ? ClaimMode.READ : ClaimMode.WRITE;
    }

    private Optional<DemoVolume> second(DemoVolume first) {
      List<DemoVolume> others = shared.stream().filter(volume -> !volume.equals(first)).toList();
      return others.isEmpty()
          ? Optional.empty()
          : Optional.of(others.get(random.nextInt(others.size())));
    }

    private DemoStart start(DemoUse use) {
      if (use.volume().oneWriter() && use.mode() == ClaimMode.WRITE) {
        String holder = lastWriter.get(use.volume());
        if (holder == null) {
          return new DemoStart.AtOnce();
        }
        return random.nextInt(3) < 2
            ? new DemoStart.BehindHolder(holder)
            : new DemoStart.AfterRelease(holder);
      }
      String other = lastUser.get(use.volume());
      return other == null ? new DemoStart.AtOnce() : new DemoStart.Beside(other);
    }

    private void remember(String id, DemoUse use) {
      lastUser.put(use.volume(), id);
      if (use.volume().oneWriter() && use.mode() == ClaimMode.WRITE) {
        lastWriter.put(use.volume(), id);
      }
    }
  }
}
