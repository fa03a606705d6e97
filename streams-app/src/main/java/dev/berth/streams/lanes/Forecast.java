package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How long a controller call will take to be done, by what is in its lane and how long such calls
 * took lately (external-attacher#706: operators saw nothing for 27 minutes). A guess, for people:
 * failures, and calls that arrive later, are not foreseen.
 */
public final class Forecast {
  private Forecast() {}

  /**
   * Looks ahead.
   *
   * @param state the tables of {@link LaneTables}; only read, in a time that grows with the lane
   * @param requestId lane request of the call
   * @param now time to count from
   * @param policies policies in force
   * @return time until it is done; empty when the call is unknown or a node's, when nothing tells
   *     how long its plugin takes, and when it waits for an event
   */
  public static Optional<Duration> untilDone(
      State state, String requestId, Instant now, Policies policies) {
    LaneCall call = state.get(LaneTables.REQUESTS, requestId);
    PluginLanes plugin = call == null ? null : state.get(LaneTables.PLUGIN_LANES, call.plugin());
    if (call == null || plugin == null || !call.call().toController()) {
      return Optional.empty();
    }
    Place place = call.place();
    if (place instanceof Place.Open open) {
      Attempt attempt = state.get(LaneTables.ATTEMPTS, open.attemptId());
      return attempt == null
          ? Optional.empty()
          : rest(plugin, attempt, attempt.place(call.requestId()) + 1, now);
    }
    if (plugin.paused()) {
      return Optional.empty();
    }
    if (place instanceof Place.Held held) {
      Instant retry = held.hold().nextRetry();
      String lane = LaneTables.lane(call, plugin.scope());
      return retry == null || held.hold().code() == HoldCode.PLUGIN_PAUSED
          ? Optional.empty()
          : inLine(state, plugin, call, lane, Long.MAX_VALUE, now, policies)
              .map(wait -> longer(wait, Duration.between(now, retry)));
    }
    Place.Queued queued = (Place.Queued) place;
    return inLine(state, plugin, call, queued.lane(), queued.position(), now, policies);
  }

  private static Optional<Duration> inLine(
      State state,
      PluginLanes plugin,
      LaneCall call,
      String lane,
      long position,
      Instant now,
      Policies policies) {
    LaneKind kind = call.kind();
    LaneKind other = kind == LaneKind.ATTACH ? LaneKind.DETACH : LaneKind.ATTACH;
    Policy.Weights weights = policies.ofPlugin(call.plugin()).weights();
    long ahead =
        queue(state, lane, kind).stream().filter(entry -> positionOf(entry) < position).count();
    long between =
        Math.min(
            queue(state, lane, other).size(),
            (ahead + 1) * weight(weights, other) / Math.max(1, weight(weights, kind)));
    return plugin
        .usual(kind)
        .map(
            mean ->
                openOne(state, plugin, lane, now)
                    .plus(mean.multipliedBy(ahead + 1))
                    .plus(plugin.usual(other).orElse(mean).multipliedBy(between)));
  }

  /** What is left of the run that is open in a lane. */
  static Duration openOne(State state, PluginLanes plugin, String lane, Instant now) {
    Lane row = state.get(LaneTables.LANES, lane);
    String attemptId = row == null ? null : row.attemptId();
    Attempt attempt = attemptId == null ? null : state.get(LaneTables.ATTEMPTS, attemptId);
    return attempt == null
        ? Duration.ZERO
        : rest(plugin, attempt, attempt.size(), now).orElse(Duration.ZERO);
  }

  /** What is left of the first so many calls of a run; empty when their speed is not known. */
  private static Optional<Duration> rest(
      PluginLanes plugin, Attempt attempt, int calls, Instant now) {
    Duration all = Duration.ZERO;
    for (Work.WorkCall call : attempt.work().calls().subList(0, calls)) {
      Optional<Duration> usual = plugin.usual(LaneKind.of(call.call().rpc()));
      if (usual.isEmpty()) {
        return Optional.empty();
      }
      all = all.plus(usual.get());
    }
    Duration gone =
        attempt.accepted()
            ? Duration.between(attempt.acceptances().get(0).readAt(), now)
            : Duration.ZERO;
    return Optional.of(longer(Duration.ZERO, all.minus(gone)));
  }

  private static List<State.Entry<QueueEntry>> queue(State state, String lane, LaneKind kind) {
    return state.scan(LaneTables.QUEUE, LaneTables.queue(lane, kind));
  }

  private static long positionOf(State.Entry<QueueEntry> entry) {
    return Long.parseLong(entry.key().substring(entry.key().lastIndexOf('/') + 1));
  }

  private static long weight(Policy.Weights weights, LaneKind kind) {
    return kind == LaneKind.ATTACH ? weights.attach() : weights.detach();
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
