package dev.berth.streams.codec;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RejectCode;
import dev.berth.records.RpcCode;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.Budget;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.Lane;
import dev.berth.streams.lanes.LaneCall;
import dev.berth.streams.lanes.LaneKind;
import dev.berth.streams.lanes.LaneStatus;
import dev.berth.streams.lanes.NodeSlots;
import dev.berth.streams.lanes.Place;
import dev.berth.streams.lanes.PluginLanes;
import dev.berth.streams.policy.Policy.LaneScope;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws what the lanes are asked, answer, keep and show. */
final class LaneDraw {
  private LaneDraw() {}

  static Call call(Draw draw) {
    return new Call(
        draw.of(CsiCall.class),
        draw.text(),
        draw.text(),
        draw.orNull(draw::text),
        draw.text(),
        draw.text(),
        // An empty node id is refused, a drawn text never is one: it ends in a digit or an x.
        draw.orNull(draw::text),
        draw.of(AccessMode.class),
        draw.of(AttachmentMode.class),
        draw.flag(),
        draw.orNull(draw::text),
        draw.list(draw::text),
        draw.texts(),
        draw.texts(),
        draw.texts());
  }

  static LaneRequest request(Draw draw) {
    return new LaneRequest(draw.text(), draw.text(), draw.text(), draw.time(), requestBody(draw));
  }

  private static LaneRequest.Body requestBody(Draw draw) {
    return draw.<LaneRequest.Body>oneOf(
        () ->
            new LaneRequest.Enqueue(
                call(draw),
                draw.flag(),
                draw.flag(),
                draw.orNull(() -> ClaimDraw.hold(draw)),
                draw.orNull(draw::text)),
        LaneRequest.Withdraw::new,
        () -> new LaneRequest.Wake(draw.flag()),
        () -> new LaneRequest.ReserveExternalId(draw.text()),
        () -> new LaneRequest.ReleaseExternalId(draw.text()),
        () -> new LaneRequest.ReleaseSlot(draw.text(), draw.text()));
  }

  static Settlement settlement(Draw draw) {
    return new Settlement(
        draw.text(),
        draw.text(),
        draw.text(),
        draw.orNull(draw::text),
        draw.time(),
        settlementBody(draw));
  }

  private static Settlement.Body settlementBody(Draw draw) {
    return draw.<Settlement.Body>oneOf(
        Settlement.Accepted::new,
        () -> new Settlement.SlotRefused(draw.number(), draw.number()),
        () -> new Settlement.Done(draw.of(RpcCode.class), draw.flag(), draw.texts(), draw.flag()),
        () ->
            new Settlement.Failed(
                draw.of(RpcCode.class), draw.text(), draw.of(RejectCode.class), draw.flag()),
        () -> new Settlement.Held(ClaimDraw.hold(draw), draw.flag()),
        () -> new Settlement.Withdrawn(draw.flag()),
        () -> new Settlement.ExternalIdReserved(draw.text()),
        () -> new Settlement.ExternalIdTaken(draw.text(), draw.text()),
        () -> new Settlement.Listed(draw.list(draw::text), draw.list(draw::text), draw.time()));
  }

  static Work work(Draw draw) {
    List<Work.WorkCall> calls =
        new ArrayList<>(draw.list(() -> new Work.WorkCall(draw.text(), call(draw))));
    calls.add(new Work.WorkCall(draw.text(), call(draw)));
    return new Work(
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.text(),
        draw.number(),
        millis(draw),
        draw.time(),
        calls);
  }

  static CallEnd end(Draw draw) {
    return new CallEnd(
        draw.of(CallFate.class),
        draw.of(NotSentReason.class),
        draw.of(RpcCode.class),
        draw.text(),
        draw.texts(),
        draw.time(),
        draw.time(),
        draw.flag() ? draw.flag() : null);
  }

  private static Map<Integer, CallEnd> ends(Draw draw) {
    Map<Integer, CallEnd> ends = new HashMap<>();
    draw.list(() -> end(draw)).forEach(end -> ends.put(ends.size(), end));
    return ends;
  }

  static Attempt attempt(Draw draw) {
    return new Attempt(
        work(draw),
        draw.list(
            () ->
                new Attempt.Acceptance(
                    draw.text(), draw.text(), draw.time(), millis(draw), ends(draw))),
        draw.flag());
  }

  static LaneCall laneCall(Draw draw) {
    return new LaneCall(
        draw.text(),
        draw.text(),
        draw.text(),
        call(draw),
        draw.flag(),
        draw.flag(),
        draw.orNull(draw::text),
        draw.number(),
        draw.time(),
        place(draw),
        new Budget(
            (int) draw.number(),
            (int) draw.number(),
            (int) draw.number(),
            draw.orNull(draw::time),
            draw.orNull(draw::time),
            draw.orNull(draw::time),
            draw.flag()),
        draw.flag(),
        draw.flag());
  }

  private static Place place(Draw draw) {
    return draw.<Place>oneOf(
        () -> new Place.Queued(draw.text(), draw.number()),
        () ->
            new Place.Open(
                draw.text(), draw.text(), draw.list(draw::text), draw.flag(), draw.number()),
        () -> new Place.Held(ClaimDraw.hold(draw)));
  }

  static Lane lane(Draw draw) {
    return new Lane(
        draw.orNull(draw::text),
        draw.orNull(() -> new Lane.Turn(draw.of(LaneKind.class), (int) draw.number())));
  }

  static PluginLanes plugin(Draw draw) {
    return new PluginLanes(
        draw.text(),
        draw.time(),
        draw.of(LaneScope.class),
        draw.flag(),
        draw.orNull(() -> new PluginLanes.Pause(draw.text(), draw.text(), draw.time())),
        draw.orNull(draw::text),
        draw.number(),
        draw.number(),
        draw.number(),
        draw.number(),
        draw.number(),
        draw.number(),
        millis(draw),
        millis(draw));
  }

  static LaneStatus status(Draw draw) {
    return new LaneStatus(
        draw.text(),
        draw.flag(),
        draw.text(),
        draw.number(),
        draw.number(),
        draw.number(),
        draw.orNull(draw::time),
        millis(draw),
        millis(draw),
        draw.list(
            () ->
                new LaneStatus.OpenAttempt(
                    work(draw),
                    draw.orNull(draw::text),
                    draw.orNull(draw::text),
                    draw.orNull(draw::time))),
        draw.time());
  }

  static NodeSlots slots(Draw draw) {
    return new NodeSlots(
        draw.text(), draw.text(), draw.orNull(draw::number), draw.number(), draw.time());
  }

  private static Duration millis(Draw draw) {
    return Duration.ofMillis(draw.number());
  }
}
