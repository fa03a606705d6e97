package dev.berth.streams.lanes;

import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a call is, as an operator looks at it. It only reads.
 *
 * @param call the call
 * @param lane lane that it is in, or will be in again
 * @param ahead calls before it in its lane (count); null unless it is in line
 * @param untilDone time until it is done, about; null when nothing tells
 * @param attempt attempt that it is out in; null when it is not out
 */
public record CallStatus(
    LaneCall call,
    String lane,
    @Nullable Integer ahead,
    @Nullable Duration untilDone,
    @Nullable Attempt attempt) {

  /**
   * Looks for a call.
   *
   * @param state the tables of {@link LaneTables}
   * @param now time to count from
   * @return empty when it is not known, or settled
   */
  public static Optional<CallStatus> of(
      State state, String requestId, Instant now, Policies policies) {
    LaneCall call = state.get(LaneTables.REQUESTS, requestId);
    PluginLanes plugin = call == null ? null : state.get(LaneTables.PLUGIN_LANES, call.plugin());
    if (call == null || plugin == null) {
      return Optional.empty();
    }
    Place place = call.place();
    String lane =
        place instanceof Place.Queued queued
            ? queued.lane()
            : place instanceof Place.Open open
                ? open.lane()
                : LaneTables.lane(call, plugin.scope());
    return Optional.of(
        new CallStatus(
            call,
            lane,
            place instanceof Place.Queued queued ? ahead(state, call, queued) : null,
            Forecast.untilDone(state, requestId, now, policies).orElse(null),
            place instanceof Place.Open open
                ? state.get(LaneTables.ATTEMPTS, open.attemptId())
                : null));
  }

  /**
   * Those of its own kind that came before, and what is out: the others come in between by weight.
   */
  private static int ahead(State state, LaneCall call, Place.Queued queued) {
    int[] before = {0};
    String prefix = LaneTables.queue(queued.lane(), call.kind());
    String own = LaneTables.queue(queued.lane(), call.kind(), queued.position());
    state.walk(
        LaneTables.QUEUE,
        prefix,
        prefix,
        entry -> {
          boolean earlier = entry.key().compareTo(own) < 0;
          before[0] += earlier ? 1 : 0;
          return earlier;
        });
    Lane lane = state.get(LaneTables.LANES, queued.lane());
    String out = lane == null ? null : lane.attemptId();
    Attempt attempt = out == null ? null : state.get(LaneTables.ATTEMPTS, out);
    return before[0] + (attempt == null ? 0 : attempt.size());
  }
}
