package dev.berth.streams.lanes;

import dev.berth.streams.work.Call;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A work record in the making: calls of one lane that one worker makes one after the other. A lane
 * whose plugin answers fast would else stand still most of the time, waiting for the next record; a
 * slow plugin gets one call per record, so that no decision is older than about a second
 * (architecture.md, "How a controller RPC becomes exactly one open call").
 */
final class Run {
  /** Most calls of one run, whatever the speed (count). */
  private static final int MOST = 32;

  /** Longest time that a run is expected to take; the worker starts no further call after it. */
  private static final Duration LONGEST = Duration.ofSeconds(1);

  /** The same as a part of the time that each call may take: all of them share it. */
  private static final int PART_OF_TIMEOUT = 4;

  /**
   * Where a run ends, however few they are: what its calls carry (characters). A record that no
   * broker takes would undo each decision that brings it, those of the clock too.
   */
  private static final int MOST_TEXT = 300_000;

  private final PluginLanes plugin;
  private final String lane;
  private final Readiness.Ready ready;
  private final Duration timeout;
  private final List<String> asked;
  private final int most;
  private final List<Work.WorkCall> calls = new ArrayList<>();
  private final Set<String> attachments = new HashSet<>();
  private Duration expected = Duration.ZERO;
  private int text;

  private Run(
      PluginLanes plugin,
      String lane,
      Readiness.Ready ready,
      Duration timeout,
      List<String> asked,
      int most) {
    this.plugin = plugin;
    this.lane = lane;
    this.ready = ready;
    this.timeout = timeout;
    this.asked = asked;
    this.most = most;
  }

  /** Begins a run with its first call, which goes out whatever is expected of it. */
  static Run begin(
      LanesDraft draft, String lane, LaneCall first, Readiness.Ready ready, List<String> tried) {
    PluginLanes plugin = draft.plugin(first.plugin()).withAttempt();
    boolean controller = first.call().toController();
    draft.store(controller ? plugin.withSticky(ready.instance().node()) : plugin);
    List<String> asked = new ArrayList<>(tried);
    asked.add(ready.instance().node());
    boolean alone =
        !controller
            || !unspoiled(first)
            || Breakers.onTrial(draft, first.plugin(), first.call().node());
    int most = alone ? 1 : most(draft, plugin, first.kind());
    Run run = new Run(plugin, lane, ready, draft.policy(first).rpcTimeout(), asked, most);
    run.add(draft, first, ready);
    return run;
  }

  String attemptId() {
    return plugin.attemptId();
  }

  boolean hasRoom() {
    return calls.size() < most;
  }

  /**
   * Takes a call whose turn is next, if it may share the record: for the same instance, with the
   * same time, for another attachment, within the second and a record, and of a node and a call
   * that have not failed lately; what failed before is likely to stop the run, and all behind it
   * with it.
   *
   * @return whether it was taken
   */
  boolean take(LanesDraft draft, LaneCall call) {
    boolean may =
        unspoiled(call)
            && !attachments.contains(attachment(call))
            && text + call.call().text() <= MOST_TEXT
            && !Breakers.onTrial(draft, call.plugin(), call.call().node())
            && draft.policy(call).rpcTimeout().equals(timeout)
            && inTime(draft, call);
    if (may
        && Readiness.of(draft, call, List.of()) instanceof Readiness.Ready itsReady
        && itsReady.instance().equals(ready.instance())) {
      add(draft, call, itsReady);
      return true;
    }
    return false;
  }

  void dispatch(LanesDraft draft) {
    Work work =
        new Work(
            attemptId(),
            plugin.plugin(),
            lane,
            ready.instance().route(),
            ready.instance().node(),
            ready.instance().endpoint(),
            ready.incarnation(),
            timeout,
            draft.now(),
            calls);
    draft.store(new Attempt(work, List.of(), false));
    draft.emit(new LanesEffect.Dispatch(work));
  }

  private void add(LanesDraft draft, LaneCall call, Readiness.Ready itsReady) {
    LaneCall named = Retries.withExternalNode(call, itsReady.externalNode());
    Call sent = named.call().sentTo(ready.instance().publishReadOnly());
    calls.add(new Work.WorkCall(call.requestId(), sent));
    attachments.add(attachment(call));
    text += named.call().text();
    expected = expected.plus(plugin.usual(call.kind()).orElse(LONGEST));
    long position =
        call.place() instanceof Place.Queued queued
            ? queued.position()
            : call.place() instanceof Place.Open open ? open.position() : 0;
    draft.store(named.at(new Place.Open(lane, attemptId(), asked, false, position)));
    Breakers.dispatched(draft, named);
    if (call.call().toController()) {
      Listings.operated(draft, call.plugin(), call.call().externalVolume());
    }
  }

  private boolean inTime(LanesDraft draft, LaneCall call) {
    boolean sized = draft.policy(plugin.plugin()).run() > 0;
    Optional<Duration> usual = plugin.usual(call.kind());
    if (sized && usual.isEmpty()) {
      return true;
    }
    // The worker keeps the second. What a policy cannot do is give a call time that others use up.
    Duration then = expected.plus(usual.orElse(LONGEST));
    return (sized || then.compareTo(LONGEST) <= 0)
        && then.compareTo(timeout.dividedBy(PART_OF_TIMEOUT)) <= 0;
  }

  private static int most(LanesDraft draft, PluginLanes plugin, LaneKind kind) {
    int told = draft.policy(plugin.plugin()).run();
    return told > 0 ? told : plugin.usual(kind).isPresent() ? MOST : 1;
  }

  private static boolean unspoiled(LaneCall call) {
    return call.budget().failures() == 0 && !call.withdrawn();
  }

  private static String attachment(LaneCall call) {
    return call.volumeKey() + "/" + call.call().node();
  }
}
