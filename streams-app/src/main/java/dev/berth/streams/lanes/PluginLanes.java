package dev.berth.streams.lanes;

import dev.berth.streams.policy.Policy.LaneScope;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the lanes of one plugin have in common.
 *
 * @param plugin plugin id
 * @param since when the lanes first heard of it; part of its attempt ids
 * @param scope what shares a controller lane
 * @param draining whether attempts of an earlier scope may still be open
 * @param pause pause in force; null when none
 * @param stickyNode node of the controller instance in use; null when none was used yet
 * @param calls calls that arrived (count): the last arrival number
 * @param joins times a call joined a queue (count): the last position
 * @param attempts attempts made (count): the last attempt number
 * @param queued calls in line (count)
 * @param held calls held (count)
 * @param inFlight calls out (count)
 * @param attachMean recent mean time of an attach; zero when none was seen
 * @param detachMean recent mean time of a detach; zero when none was seen
 */
public record PluginLanes(
    String plugin,
    Instant since,
    LaneScope scope,
    boolean draining,
    @Nullable Pause pause,
    @Nullable String stickyNode,
    long calls,
    long joins,
    long attempts,
    long queued,
    long held,
    long inFlight,
    Duration attachMean,
    Duration detachMean) {

  /**
   * A pause.
   *
   * @param by author
   * @param reason why
   * @param at when it began
   */
  public record Pause(String by, String reason, Instant at) {}

  static PluginLanes first(String plugin, Instant now, LaneScope scope) {
    return new PluginLanes(
        plugin, now, scope, false, null, null, 0, 0, 0, 0, 0, 0, Duration.ZERO, Duration.ZERO);
  }

  boolean paused() {
    return pause != null;
  }

  /**
   * The id of the attempt with the present number. The time in it keeps ids apart when the numbers
   * start again, because an operator has reset the application while old work is still about.
   */
  String attemptId() {
    return plugin + "/" + Long.toString(since.toEpochMilli(), 36) + "-" + Sortable.number(attempts);
  }

  PluginLanes withScope(LaneScope inForce, boolean drains) {
    return new PluginLanes(
        plugin,
        since,
        inForce,
        drains,
        pause,
        stickyNode,
        calls,
        joins,
        attempts,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  PluginLanes withPause(@Nullable Pause inForce) {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        inForce,
        stickyNode,
        calls,
        joins,
        attempts,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  PluginLanes withSticky(String node) {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        node,
        calls,
        joins,
        attempts,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  PluginLanes withCall() {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        stickyNode,
        calls + 1,
        joins,
        attempts,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  PluginLanes withJoin() {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        stickyNode,
        calls,
        joins + 1,
        attempts,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  PluginLanes withAttempt() {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        stickyNode,
        calls,
        joins,
        attempts + 1,
        queued,
        held,
        inFlight,
        attachMean,
        detachMean);
  }

  /** The same with a call added to (1) or taken from (-1) its place. */
  PluginLanes counting(Place place, int change) {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        stickyNode,
        calls,
        joins,
        attempts,
        queued + (place instanceof Place.Queued ? change : 0),
        held + (place instanceof Place.Held ? change : 0),
        inFlight + (place instanceof Place.Open ? change : 0),
        attachMean,
        detachMean);
  }

  /** The same with one more call of a kind measured; node calls are not. */
  PluginLanes measured(LaneKind kind, Duration took) {
    return new PluginLanes(
        plugin,
        since,
        scope,
        draining,
        pause,
        stickyNode,
        calls,
        joins,
        attempts,
        queued,
        held,
        inFlight,
        kind == LaneKind.ATTACH ? mean(attachMean, took) : attachMean,
        kind == LaneKind.DETACH ? mean(detachMean, took) : detachMean);
  }

  /**
   * How long a call of a kind usually takes; the other kind stands in for one that was not seen
   * lately. Empty when nothing was.
   */
  Optional<Duration> usual(LaneKind kind) {
    Duration own = kind == LaneKind.ATTACH ? attachMean : detachMean;
    Duration usual = !own.isZero() ? own : kind == LaneKind.ATTACH ? detachMean : attachMean;
    return usual.isZero() ? Optional.empty() : Optional.of(usual);
  }

  // Exponentially weighted: a fifth of what is new, so that about the last ten calls count.
  private static Duration mean(Duration before, Duration took) {
    long millis = took.toMillis();
    return before.isZero()
        ? Duration.ofMillis(Math.max(1, millis))
        : Duration.ofMillis(Math.max(1, (4 * before.toMillis() + millis) / 5));
  }
}
