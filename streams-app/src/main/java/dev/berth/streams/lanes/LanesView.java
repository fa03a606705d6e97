package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of a plugin one by one, as an operator looks at them. It only reads, in a time that
 * grows with what is in line.
 *
 * @param plugin what they have in common
 * @param oldest when the oldest call in line was asked for; null when none is in line
 * @param lanes lanes in which something is, sorted by name, at most {@link #MOST}
 * @param leftOut lanes beyond those (count)
 * @param breakers nodes whose calls have failed lately, by node
 */
public record LanesView(
    PluginLanes plugin,
    @Nullable Instant oldest,
    List<OneLane> lanes,
    int leftOut,
    Map<String, Breaker> breakers) {

  /** Most lanes in one view (count). */
  public static final int MOST = 200;

  /** Keeps copies. */
  public LanesView {
    lanes = List.copyOf(lanes);
    breakers = Map.copyOf(breakers);
  }

  /**
   * One lane.
   *
   * @param lane its name
   * @param attaches attaches in line (count)
   * @param detaches detaches in line (count)
   * @param nodeCalls node calls in line (count)
   * @param open the attempt that is out; null when none is
   * @param oldest when the oldest call in line was asked for; null when none is in line
   * @param drain time until nothing is in it, about; null when nothing tells
   */
  public record OneLane(
      String lane,
      int attaches,
      int detaches,
      int nodeCalls,
      @Nullable Attempt open,
      @Nullable Instant oldest,
      @Nullable Duration drain) {}

  /**
   * Looks at the lanes of a plugin.
   *
   * @param state the tables of {@link LaneTables}
   * @param plugin what its lanes have in common
   * @param now time to count from
   */
  public static LanesView of(State state, PluginLanes plugin, Instant now) {
    Map<String, Line> lines = lines(state, plugin.plugin());
    List<OneLane> lanes = new ArrayList<>();
    lines.forEach(
        (lane, line) -> {
          if (lanes.size() < MOST) {
            lanes.add(line.asLane(state, plugin, lane, now));
          }
        });
    return new LanesView(
        plugin,
        LaneStatus.oldest(state, plugin.plugin()),
        lanes,
        lines.size() - lanes.size(),
        breakers(state, plugin.plugin()));
  }

  private static Map<String, Line> lines(State state, String plugin) {
    Map<String, Line> lines = new TreeMap<>();
    String prefix = plugin + "/";
    state.walk(
        LaneTables.QUEUE,
        prefix,
        prefix,
        entry -> {
          int position = entry.key().lastIndexOf('/');
          int kind = entry.key().lastIndexOf('/', position - 1);
          lines
              .computeIfAbsent(entry.key().substring(0, kind), lane -> new Line())
              .add(entry.key().substring(kind + 1, position), entry.value().requestId());
          return true;
        });
    state.walk(
        LaneTables.LANES,
        prefix,
        prefix,
        entry -> {
          if (entry.value().open()) {
            lines.computeIfAbsent(entry.key(), lane -> new Line());
          }
          return true;
        });
    return lines;
  }

  private static Map<String, Breaker> breakers(State state, String plugin) {
    Map<String, Breaker> breakers = new TreeMap<>();
    String prefix = plugin + "/";
    state
        .scan(LaneTables.BREAKERS, prefix)
        .forEach(entry -> breakers.put(entry.key().substring(prefix.length()), entry.value()));
    return breakers;
  }

  /** What is in line in a lane: how many of each kind, and the first of each. */
  private static final class Line {
    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> firsts = new ArrayList<>();

    void add(String kind, String requestId) {
      if (counts.merge(kind, 1, Integer::sum) == 1) {
        firsts.add(requestId);
      }
    }

    OneLane asLane(State state, PluginLanes plugin, String lane, Instant now) {
      Lane row = state.get(LaneTables.LANES, lane);
      String attemptId = row == null ? null : row.attemptId();
      return new OneLane(
          lane,
          count(LaneKind.ATTACH),
          count(LaneKind.DETACH),
          count(LaneKind.NODE),
          attemptId == null ? null : state.get(LaneTables.ATTEMPTS, attemptId),
          oldest(state),
          drain(state, plugin, lane, now).orElse(null));
    }

    private int count(LaneKind kind) {
      return counts.getOrDefault(kind.word(), 0);
    }

    /** Lines are in the order of joining; a call that has come back may be older, by a little. */
    private @Nullable Instant oldest(State state) {
      return firsts.stream()
          .map(request -> state.get(LaneTables.REQUESTS, request))
          .filter(call -> call != null)
          .map(LaneCall::arrivedAt)
          .min(Instant::compareTo)
          .orElse(null);
    }

    private Optional<Duration> drain(State state, PluginLanes plugin, String lane, Instant now) {
      Optional<Duration> attach = plugin.usual(LaneKind.ATTACH);
      Optional<Duration> detach = plugin.usual(LaneKind.DETACH);
      if (LaneTables.ofNodeCalls(lane) || attach.isEmpty() || detach.isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          Forecast.openOne(state, plugin, lane, now)
              .plus(attach.get().multipliedBy(count(LaneKind.ATTACH)))
              .plus(detach.get().multipliedBy(count(LaneKind.DETACH))));
    }
  }
}
