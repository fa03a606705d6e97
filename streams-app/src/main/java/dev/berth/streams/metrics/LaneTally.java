package dev.berth.streams.metrics;

import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.LaneCall;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.lanes.QueueEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of each plugin in one look at the tables. Confined to a thread.
 *
 * <p>How many calls there are the lanes keep count of themselves. What is looked at is one entry
 * for each lane and kind, however long the line is.
 */
final class LaneTally {
  private static final int MOST_PLUGINS = 100;

  private final LabelValues labels = new LabelValues(MOST_PLUGINS);
  private final Map<String, Figures> plugins = new HashMap<>();

  /**
   * What is told of the lanes of a plugin.
   *
   * @param queued calls in line (count)
   * @param held calls that wait for a time or an event (count)
   * @param open calls out (count)
   * @param lanes lanes in which something is in line or out (count)
   * @param busy lanes with a call out (count)
   * @param paused whether an operator paused it
   * @param yielding nodes whose calls let those of others go first, because they failed (count)
   * @param oldest when the oldest call in line was asked for; null when none is in line
   */
  record Figures(
      long queued,
      long held,
      long open,
      long lanes,
      long busy,
      boolean paused,
      long yielding,
      @Nullable Instant oldest) {

    Figures and(Figures other) {
      return new Figures(
          queued + other.queued,
          held + other.held,
          open + other.open,
          lanes + other.lanes,
          busy + other.busy,
          paused || other.paused,
          yielding + other.yielding,
          earlier(oldest, other.oldest));
    }

    /** How many of the lanes that have work are at it now: 1 for all, and where none has work 0. */
    double utilisation() {
      return lanes == 0 ? 0 : (double) busy / lanes;
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
      if (one == null || other == null) {
        return one == null ? other : one;
      }
      return one.isBefore(other) ? one : other;
    }
  }

  /**
   * Counts what is in the lanes of a partition.
   *
   * @param state the tables of {@link LaneTables}
   * @param goesOn asked for each plugin; ends the look
   */
  void add(State state, BooleanSupplier goesOn) {
    state.walk(
        LaneTables.PLUGIN_LANES,
        "",
        "",
        row -> {
          plugins.merge(labels.of(row.key()), figures(state, row.value()), Figures::and);
          return goesOn.getAsBoolean();
        });
  }

  private static Figures figures(State state, PluginLanes plugin) {
    String prefix = plugin.plugin() + "/";
    Set<String> busy = new HashSet<>();
    state.walk(
        LaneTables.LANES,
        prefix,
        prefix,
        row -> {
          if (row.value().attemptId() != null) {
            busy.add(row.key());
          }
          return true;
        });
    Set<String> withWork = inLine(state, prefix);
    withWork.addAll(busy);
    return new Figures(
        plugin.queued(),
        plugin.held(),
        plugin.inFlight(),
        withWork.size(),
        busy.size(),
        plugin.pause() != null,
        yielding(state, prefix),
        oldest(state, prefix));
  }

  /**
   * The lanes in which calls are in line; from one kind of a lane to the next, not call by call.
   */
  private static Set<String> inLine(State state, String prefix) {
    Set<String> lanes = new HashSet<>();
    State.Entry<QueueEntry> next = state.first(LaneTables.QUEUE, prefix);
    while (next != null) {
      // Keys are lane/kind/position.
      int position = next.key().lastIndexOf('/');
      lanes.add(next.key().substring(0, next.key().lastIndexOf('/', position - 1)));
      char behindSlash = '/' + 1;
      next =
          state.ceiling(LaneTables.QUEUE, prefix, next.key().substring(0, position) + behindSlash);
    }
    return lanes;
  }

  private static long yielding(State state, String prefix) {
    return state.scan(LaneTables.BREAKERS, prefix).stream()
        .filter(row -> row.value().trialAt() != null)
        .count();
  }

  private static @Nullable Instant oldest(State state, String prefix) {
    State.Entry<QueueEntry> first = state.first(LaneTables.AGES, prefix);
    LaneCall call =
        first == null ? null : state.get(LaneTables.REQUESTS, first.value().requestId());
    return call == null ? null : call.arrivedAt();
  }

  /** What was counted, by plugin. */
  Map<String, Figures> plugins() {
    return Map.copyOf(plugins);
  }
}
