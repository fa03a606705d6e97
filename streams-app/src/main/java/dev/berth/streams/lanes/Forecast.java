package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.policy.Policy;
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
      return mean(plugin, call.kind()).map(mean -> rest(state, open.attemptId(), mean, now));
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
    return mean(plugin, kind)
        .map(
            mean ->
                openOne(state, plugin, lane, now)
                    .plus(mean.multipliedBy(ahead + 1))
                    .plus(mean(plugin, other).orElse(mean).multipliedBy(between)));
  }

  /** What is left of the call that is open in a lane. */
  private static Duration openOne(State state, PluginLanes plugin, String lane, Instant now) {
    Lane row = state.get(LaneTables.LANES, lane);
    String attemptId = row == null ? null : row.attemptId();
    Attempt attempt = attemptId == null ? null : state.get(LaneTables.ATTEMPTS, attemptId);
    if (attempt == null) {
      return Duration.ZERO;
    }
    LaneKind kind = LaneKind.of(attempt.work().calls().get(0).call().rpc());
    return mean(plugin, kind)
        .map(mean -> rest(state, attempt.id(), mean, now))
        .orElse(Duration.ZERO);
  }

  private static Duration rest(State state, String attemptId, Duration mean, Instant now) {
    Attempt attempt = state.get(LaneTables.ATTEMPTS, attemptId);
    Duration gone =
        attempt == null || !attempt.accepted()
            ? Duration.ZERO
            : Duration.between(attempt.acceptances().get(0).readAt(), now);
    return longer(Duration.ZERO, mean.minus(gone));
  }

  /** How long calls of a kind took lately; the other kind stands in for one that was not seen. */
  private static Optional<Duration> mean(PluginLanes plugin, LaneKind kind) {
    Duration own = kind == LaneKind.ATTACH ? plugin.attachMean() : plugin.detachMean();
    Duration mean =
        !own.isZero() ? own : kind == LaneKind.ATTACH ? plugin.detachMean() : plugin.attachMean();
    return mean.isZero() ? Optional.empty() : Optional.of(mean);
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
