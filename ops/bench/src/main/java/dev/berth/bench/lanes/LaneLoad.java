package dev.berth.bench.lanes;

import dev.berth.bench.system.BenchVolume;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Attaches that wait in line when the plugins may begin.
 *
 * @param kind what it asks
 * @param plugins how many plugins share the processors (count)
 * @param nodes nodes of each plugin that its calls are spread over (count)
 * @param rpc how long the driver takes for a call; zero for at once
 * @param calls calls of each plugin (count)
 */
record LaneLoad(Kind kind, int plugins, int nodes, Duration rpc, int calls) {

  /** What a load asks. */
  enum Kind {
    /** How busy one lane is kept. */
    ONE("one lane"),
    /** Whether many plugins keep each other from being busy. */
    MANY("plugins"),
    /** Lanes for each node. */
    BY_NODE("lanes by node"),
    /** Lanes for each volume. */
    BY_VOLUME("lanes by volume");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /**
   * Ids of its plugins. Those of one lane differ by the time of a call: what a plugin was seen to
   * take decides how many calls are handed out ahead.
   */
  List<String> pluginIds() {
    return switch (kind) {
      case ONE -> List.of("one-" + rpc.toMillis());
      case MANY -> IntStream.rangeClosed(1, plugins).mapToObj(i -> "many-" + i).toList();
      case BY_NODE -> List.of("by-node");
      case BY_VOLUME -> List.of("by-volume");
    };
  }

  /** The volumes of a repetition, those of all plugins in turn. */
  List<BenchVolume> volumes(int repetition) {
    List<BenchVolume> volumes = new ArrayList<>();
    for (int call = 0; call < calls; call++) {
      String node = "n" + (call % nodes + 1);
      for (String plugin : pluginIds()) {
        volumes.add(
            new BenchVolume("r%d-%s-%d".formatted(repetition, plugin, call), plugin, node, 1));
      }
    }
    return volumes;
  }

  /** The shortest time in which all calls can be made, one at a time in each lane. */
  Duration ideal() {
    return switch (kind) {
      case ONE, MANY -> rpc.multipliedBy(calls);
      case BY_NODE -> rpc.multipliedBy((calls + nodes - 1) / nodes);
      case BY_VOLUME -> rpc;
    };
  }

  @Override
  public String toString() {
    String time = rpc.isZero() ? "at once" : rpc.toMillis() + " ms";
    return switch (kind) {
      case ONE -> kind.word + ", " + time;
      case MANY -> plugins + " " + kind.word + ", " + time;
      case BY_NODE -> "%s, %d nodes, %s".formatted(kind.word, nodes, time);
      case BY_VOLUME -> "%s, %d volumes, %s".formatted(kind.word, calls, time);
    };
  }
}
