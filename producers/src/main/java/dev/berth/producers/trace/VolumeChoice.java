package dev.berth.producers.trace;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Gives allocs their volumes, by the numbers at the end of their names; see {@link TracePlan}. */
final class VolumeChoice {

  private static final int KINDS = 20;
  private static final int BLOCK = 8;
  private static final int SHAREABLE = 13;
  private static final int FAMILY = 16;
  private static final int ONE_WRITER = 18;
  private static final int ONE_OF_SO_MANY_WAITS = 3;
  private static final int ONE_OF_SO_MANY_WRITES = 3;

  private final TracePlugins plugins;
  private final TurnPool block;
  private final TurnPool shareable;
  private final TurnPool oneWriter;
  private final List<TraceVolume> written = new ArrayList<>();
  private final Map<String, TraceVolume> families = new LinkedHashMap<>();

  VolumeChoice(TracePlugins plugins, int scheduledPods) {
    this.plugins = plugins;
    this.block =
        new TurnPool(
            among(8, scheduledPods / 40, 120),
            n -> volume(plugins.block(), "%03d".formatted(n), AccessMode.SINGLE_NODE_WRITER));
    this.shareable =
        new TurnPool(
            among(5, scheduledPods / 80, 60),
            n -> volume(plugins.shareable(), "%03d".formatted(n), AccessMode.SINGLE_NODE_WRITER));
    this.oneWriter =
        new TurnPool(
            among(2, scheduledPods / 400, 12),
            n ->
                volume(
                    plugins.files(), "log-%02d".formatted(n), AccessMode.MULTI_NODE_SINGLE_WRITER));
  }

  /** What an alloc uses, and whom it waits behind. */
  record Choice(List<TraceUse> uses, Optional<String> behind) {}

  Choice of(PodName name, TurnPool.Wish place) {
    TurnPool.Wish wish =
        place.thatWaits((name.number() / KINDS + name.number()) % ONE_OF_SO_MANY_WAITS == 0);
    int kind = (int) (name.number() % KINDS);
    if (kind < BLOCK) {
      return alone(block.choose(wish));
    } else if (kind < SHAREABLE) {
      return alone(shareable.choose(wish));
    } else if (kind < FAMILY) {
      return new Choice(List.of(writing(ofFamily(name.family()))), Optional.empty());
    } else if (kind < ONE_WRITER) {
      return oneWriter(name, wish);
    }
    TurnPool.Turn first = block.choose(wish);
    return new Choice(
        List.of(writing(first.volume()), writing(ofFamily(name.family()))), first.behind());
  }

  private Choice oneWriter(PodName name, TurnPool.Wish wish) {
    long turn = name.number() / KINDS;
    if (turn % ONE_OF_SO_MANY_WRITES != 0 && !written.isEmpty()) {
      TraceVolume volume = written.get((int) (turn % written.size()));
      return new Choice(List.of(new TraceUse(volume, ClaimMode.READ)), Optional.empty());
    }
    TurnPool.Turn next = oneWriter.choose(wish);
    if (!written.contains(next.volume())) {
      written.add(next.volume());
    }
    return alone(next);
  }

  /** In turn of the plugin that attaches to many nodes, and of the one that does not attach. */
  private TraceVolume ofFamily(String family) {
    return families.computeIfAbsent(
        family,
        name ->
            volume(
                families.size() % 2 == 0 ? plugins.shareable() : plugins.files(),
                "of-%02d".formatted(families.size() + 1),
                AccessMode.MULTI_NODE_MULTI_WRITER));
  }

  private TraceVolume volume(String plugin, String suffix, AccessMode access) {
    String id = plugin + "-" + suffix;
    return new TraceVolume(
        id, plugin, "vol-" + id, access, plugins.clientMounts().contains(plugin));
  }

  private static Choice alone(TurnPool.Turn turn) {
    return new Choice(List.of(writing(turn.volume())), turn.behind());
  }

  private static TraceUse writing(TraceVolume volume) {
    return new TraceUse(volume, ClaimMode.WRITE);
  }

  private static int among(int least, int wanted, int most) {
    return Math.max(least, Math.min(wanted, most));
  }
}
