package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Backlog and open attempts of a plugin, as an operator sees them.
 *
 * @param plugin plugin id
 * @param paused whether an operator paused it
 * @param pausedBy who paused it and why; empty when not paused
 * @param queued calls in line (count)
 * @param held calls that wait for a time or an event (count)
 * @param inFlight calls out (count)
 * @param oldest when the oldest call in line was asked for; null when none is in line
 * @param attachMean recent mean time of an attach; zero when none was seen
 * @param detachMean recent mean time of a detach; zero when none was seen
 * @param open the oldest open attempts, at most {@link #MOST_OPEN}; those that wait for a worker
 *     are all shown, each in a status of its own
 * @param at when it was so
 */
public record LaneStatus(
    String plugin,
    boolean paused,
    String pausedBy,
    long queued,
    long held,
    long inFlight,
    @Nullable Instant oldest,
    Duration attachMean,
    Duration detachMean,
    List<OpenAttempt> open,
    Instant at) {

  /**
   * Most open attempts in a plugin's status (count): it is written with every decision, so what it
   * holds must not grow with what is open.
   */
  public static final int MOST_OPEN = 10;

  /**
   * Where the list ends, however few they are: what their calls carry (characters). A status that
   * no broker takes would undo each decision that brings it, those of the clock too.
   */
  static final int MOST_TEXT = 100_000;

  /** Keeps a copy. */
  public LaneStatus {
    open = List.copyOf(open);
  }

  /**
   * An attempt that is out.
   *
   * @param work the work as dispatched
   * @param acceptanceId acceptance; null while nobody has accepted
   * @param worker worker that accepted; null while nobody has
   * @param acceptedAt when the acceptance was read; null while nobody has accepted
   */
  public record OpenAttempt(
      Work work,
      @Nullable String acceptanceId,
      @Nullable String worker,
      @Nullable Instant acceptedAt) {}

  /**
   * The status of a plugin; all zero when nothing was ever asked of it.
   *
   * @param state the tables of {@link LaneTables}
   * @param at time to say it was so
   */
  public static LaneStatus of(State state, String plugin, Instant at) {
    PluginLanes lanes = state.get(LaneTables.PLUGIN_LANES, plugin);
    if (lanes == null) {
      return new LaneStatus(
          plugin, false, "", 0, 0, 0, null, Duration.ZERO, Duration.ZERO, List.of(), at);
    }
    PluginLanes.Pause pause = lanes.pause();
    return new LaneStatus(
        plugin,
        pause != null,
        pause == null ? "" : pause.by() + ": " + pause.reason(),
        lanes.queued(),
        lanes.held(),
        lanes.inFlight(),
        oldest(state, plugin),
        lanes.attachMean(),
        lanes.detachMean(),
        open(state, plugin),
        at);
  }

  /**
   * The status that shows one attempt while it waits for a worker, and nothing else: its counts are
   * zero. A worker group without offsets takes the attempt from there and from nowhere else.
   */
  public static LaneStatus waiting(Attempt attempt, Instant at) {
    return new LaneStatus(
        attempt.work().plugin(),
        false,
        "",
        0,
        0,
        0,
        null,
        Duration.ZERO,
        Duration.ZERO,
        List.of(openAttempt(attempt)),
        at);
  }

  static @Nullable Instant oldest(State state, String plugin) {
    State.Entry<QueueEntry> first = state.first(LaneTables.AGES, plugin + "/");
    LaneCall call =
        first == null ? null : state.get(LaneTables.REQUESTS, first.value().requestId());
    return call == null ? null : call.arrivedAt();
  }

  private static List<OpenAttempt> open(State state, String plugin) {
    List<OpenAttempt> open = new ArrayList<>();
    String prefix = plugin + "/";
    State.Entry<Attempt> next = state.first(LaneTables.ATTEMPTS, prefix);
    int text = 0;
    while (next != null && open.size() < MOST_OPEN && text < MOST_TEXT) {
      open.add(openAttempt(next.value()));
      text += text(next.value().work());
      next = state.ceiling(LaneTables.ATTEMPTS, prefix, next.key() + '\0');
    }
    return open;
  }

  /** Ids count: a run of 32 calls has thousands of characters of them. */
  private static int text(Work work) {
    return work.calls().stream()
        .mapToInt(call -> call.requestId().length() + call.call().text())
        .sum();
  }

  private static OpenAttempt openAttempt(Attempt attempt) {
    if (!attempt.accepted()) {
      return new OpenAttempt(attempt.work(), null, null, null);
    }
    Attempt.Acceptance first = attempt.acceptances().get(0);
    return new OpenAttempt(attempt.work(), first.id(), first.worker(), first.readAt());
  }
}
