package dev.berth.streams.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.Acceptance;
import dev.berth.records.CsiCall;
import dev.berth.records.HoldCode;
import dev.berth.records.LaneAttempt;
import dev.berth.records.OpenAcceptance;
import dev.berth.records.Outcome;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.VolumeListing;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.Breaker;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.ExternalIdHolder;
import dev.berth.streams.lanes.LaneStatus;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.lanes.ListedPage;
import dev.berth.streams.lanes.ListedRun;
import dev.berth.streams.lanes.NodeSlots;
import dev.berth.streams.lanes.QueueEntry;
import dev.berth.streams.lanes.SlotCount;
import dev.berth.streams.lanes.SlotUse;
import dev.berth.streams.lanes.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Codecs of the lanes")
class LaneCodecsTest {

  @Test
  @DisplayName("bring every request and every settlement back as it was")
  void requestsAndSettlements() {
    RoundTrip.check(LaneRequestCodec.LANE_REQUEST, random -> LaneDraw.request(new Draw(random)));
    RoundTrip.check(SettlementCodec.SETTLEMENT, random -> LaneDraw.settlement(new Draw(random)));
  }

  @Test
  @DisplayName("bring every piece of work back as it was")
  void work() {
    RoundTrip.check(CallCodec.CALL, random -> LaneDraw.call(new Draw(random)));
    RoundTrip.check(WorkCodecs.WORK, random -> LaneDraw.work(new Draw(random)));
  }

  @Test
  @DisplayName("read how a call ended in rows from before there were runs")
  void endsBeforeRuns() {
    Draw draw = new Draw(new Random(1));
    CallEnd end = LaneDraw.end(draw);
    Attempt attempt =
        new Attempt(
            LaneDraw.work(draw),
            List.of(
                new Attempt.Acceptance(
                    draw.text(), draw.text(), draw.time(), Duration.ofSeconds(7), Map.of(0, end))),
            draw.flag());
    LaneAttempt now = LaneStoreCodecs.ATTEMPT.encode().apply(attempt);
    OpenAcceptance acceptance = now.getAcceptances().get(0);
    OpenAcceptance then =
        new OpenAcceptance(
            acceptance.getId(),
            acceptance.getWorker(),
            acceptance.getReadAt(),
            acceptance.getAllowanceMillis(),
            acceptance.getEnds().get(0).getEnd(),
            List.of());
    LaneAttempt row = new LaneAttempt(now.getWork(), List.of(then), now.getNoWorkerShown());

    assertThat(LaneStoreCodecs.ATTEMPT.decode().apply(row)).isEqualTo(attempt);
  }

  @Test
  @DisplayName("bring every row of the lanes' facts back as it was")
  void facts() {
    RoundTrip.check(LaneStoreCodecs.CALL, random -> LaneDraw.laneCall(new Draw(random)));
    RoundTrip.check(LaneStoreCodecs.ATTEMPT, random -> LaneDraw.attempt(new Draw(random)));
    RoundTrip.check(LaneStoreCodecs.LANE, random -> LaneDraw.lane(new Draw(random)));
    RoundTrip.check(PluginLanesCodec.PLUGIN_LANES, random -> LaneDraw.plugin(new Draw(random)));
    RoundTrip.check(
        LaneStoreCodecs.SLOT,
        random -> {
          Draw draw = new Draw(random);
          return new SlotUse(draw.orNull(draw::text), draw.flag());
        });
    RoundTrip.check(
        LaneStoreCodecs.EXTERNAL_ID, random -> new ExternalIdHolder(new Draw(random).text()));
    RoundTrip.check(
        LaneStoreCodecs.BREAKER,
        random -> {
          Draw draw = new Draw(random);
          return new Breaker((int) draw.number(), draw.orNull(draw::time));
        });
  }

  @Test
  @DisplayName("bring every row about listings back as it was")
  void listings() {
    RoundTrip.check(
        ListingCodecs.SNAPSHOT,
        random -> {
          Draw draw = new Draw(random);
          return new Snapshot(
              draw.text(),
              draw.time(),
              (int) draw.number(),
              draw.of(Snapshot.State.class),
              draw.flag());
        });
    RoundTrip.check(
        ListingCodecs.PAGE,
        random -> {
          Draw draw = new Draw(random);
          return new ListedPage(draw.map(() -> draw.list(draw::text)));
        });
    RoundTrip.check(
        ListingCodecs.RUN,
        random -> {
          Draw draw = new Draw(random);
          return new ListedRun(
              draw.orNull(draw::time), draw.orNull(draw::time), draw.list(draw::text), draw.flag());
        });
    RoundTrip.check(
        ListingCodecs.VOLUME,
        random -> {
          Draw draw = new Draw(random);
          return new VolumeListing(
              draw.orNull(draw::time),
              draw.list(draw::text),
              draw.list(
                  () ->
                      new VolumeListing.Foreign(
                          draw.text(),
                          draw.time(),
                          draw.orNull(draw::text),
                          draw.orNull(() -> ClaimDraw.hold(draw)),
                          draw.orNull(
                              () ->
                                  new Letter(
                                      draw.of(HoldCode.class), CsiCall.CONTROLLER_UNPUBLISH)))));
        });
  }

  @Test
  @DisplayName("bring every row of the indexes back as it was")
  void indexes() {
    RoundTrip.check(
        LaneStoreCodecs.QUEUE_ENTRY,
        random -> new QueueEntry(new Draw(random).text(), new Draw(random).text()));
    RoundTrip.check(
        LaneStoreCodecs.DUE,
        random -> new DueItem(new Draw(random).of(DueItem.Kind.class), new Draw(random).text()));
    RoundTrip.check(LaneStoreCodecs.SLOT_COUNT, random -> new SlotCount(new Draw(random).number()));
  }

  @Test
  @DisplayName("read an acceptance as it was written")
  void acceptances() {
    draws()
        .forEach(
            draw -> {
              LanesEvent.Accepted event =
                  new LanesEvent.Accepted(
                      draw.text(),
                      draw.text(),
                      draw.text(),
                      draw.text(),
                      Duration.ofMillis(draw.number()));
              Acceptance record =
                  new Acceptance(
                      event.attemptId(),
                      event.acceptanceId(),
                      event.plugin(),
                      event.worker(),
                      event.timeAllowed().toMillis(),
                      draw.time());
              assertThat(WorkCodecs.accepted(record)).isEqualTo(event);
            });
  }

  @Test
  @DisplayName("read an outcome as it was written")
  void outcomes() {
    draws()
        .forEach(
            draw -> {
              CallEnd end = LaneDraw.end(draw);
              LanesEvent.OutcomeArrived event =
                  new LanesEvent.OutcomeArrived(
                      draw.text(), draw.text(), draw.text(), draw.text(), (int) draw.number(), end);
              Outcome record =
                  Outcome.newBuilder()
                      .setAttemptId(event.attemptId())
                      .setAcceptanceId(event.acceptanceId())
                      .setRequestId(event.requestId())
                      .setCallIndex(event.callIndex())
                      .setPlugin(event.plugin())
                      .setWorker(draw.text())
                      .setFate(end.fate())
                      .setNotSent(end.notSent())
                      .setCode(end.code())
                      .setMessage(end.message())
                      .setPublishContext(end.publishContext())
                      .setStartedAt(end.startedAt())
                      .setEndedAt(end.endedAt())
                      .setAttaches(end.attaches())
                      .build();
              assertThat(WorkCodecs.outcome(record)).isEqualTo(event);
            });
  }

  @Test
  @DisplayName("write the status of a plugin with its open attempts")
  void status() {
    draws()
        .forEach(
            draw -> {
              LaneStatus status = LaneDraw.status(draw);
              assertThat(readBack(WorkCodecs.status(status))).isEqualTo(status);
            });
  }

  @Test
  @DisplayName("write the slots of a node")
  void slots() {
    draws()
        .forEach(
            draw -> {
              NodeSlots slots = LaneDraw.slots(draw);
              dev.berth.records.NodeSlots record = WorkCodecs.slots(slots);
              assertThat(
                      new NodeSlots(
                          record.getPlugin(),
                          record.getNode(),
                          record.getMaxVolumes().orElse(null),
                          record.getInUse(),
                          record.getAt()))
                  .isEqualTo(slots);
            });
  }

  private static LaneStatus readBack(dev.berth.records.LaneStatus record) {
    return new LaneStatus(
        record.getPlugin(),
        record.getPaused(),
        record.getPausedBy(),
        record.getQueued(),
        record.getHeld(),
        record.getInFlight(),
        record.getOldest().orElse(null),
        Duration.ofMillis(record.getAttachMillis()),
        Duration.ofMillis(record.getDetachMillis()),
        record.getOpen().stream()
            .map(
                open ->
                    new LaneStatus.OpenAttempt(
                        WorkCodecs.WORK.decode().apply(open.getWork()),
                        open.getAcceptanceId().orElse(null),
                        open.getWorker().orElse(null),
                        open.getAcceptedAt().orElse(null)))
            .toList(),
        record.getAt());
  }

  private static Stream<Draw> draws() {
    return IntStream.range(0, 100).mapToObj(seed -> new Draw(new Random(seed)));
  }
}
