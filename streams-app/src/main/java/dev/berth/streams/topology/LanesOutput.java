package dev.berth.streams.topology;

import dev.berth.records.Work;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.codec.CommandCodecs;
import dev.berth.streams.codec.ListingCodecs;
import dev.berth.streams.codec.SettlementCodec;
import dev.berth.streams.codec.WorkCodecs;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.LaneStatus;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesEffect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns decisions of the lanes into records. */
final class LanesOutput {
  private static final Logger LOG = LoggerFactory.getLogger(LanesOutput.class);

  /** Stands in the metrics for every plugin that no lane knows. */
  private static final String UNKNOWN = "unknown";

  private final Outlets outlets;
  private final LaneTimes times;
  private final Counts counts;

  LanesOutput(Outlets outlets, LaneTimes times, Counts counts) {
    this.outlets = outlets;
    this.times = times;
    this.counts = counts;
    counts.expectReports(UNKNOWN);
  }

  /** The plugins whose lanes this owner has taken over will be reported of. */
  void expectReports(State state) {
    state.scan(LaneTables.PLUGIN_LANES, "").forEach(lanes -> counts.expectReports(lanes.key()));
  }

  /**
   * Makes every record of a decision before anything is written, so that one that cannot be made
   * leaves nothing half done.
   */
  List<Outlets.Ready> prepare(Decision<LanesEffect> decision, State before, Instant now) {
    Draft<Object> after = new Draft<>(before);
    decision.changes().forEach(after::apply);
    List<Outlets.Outgoing> records = new ArrayList<>();
    decision.effects().forEach(effect -> add(effect, after, now, records));
    for (Change change : decision.changes()) {
      addWaiting(change, before, now, records);
      if (change.table().name().equals(LaneTables.PLUGIN_LANES.name())) {
        counts.expectReports(change.key());
      }
    }
    return outlets.ready(records);
  }

  /**
   * The record of every attempt that waits for a worker. Written anew when lanes change their
   * owner: an earlier version showed them otherwise.
   */
  List<Outlets.Ready> allWaiting(State state, Instant now) {
    List<Outlets.Outgoing> records = new ArrayList<>();
    for (State.Entry<Attempt> entry : state.scan(LaneTables.ATTEMPTS, "")) {
      if (entry.value().waits()) {
        records.add(waiting(entry.value(), now));
      }
    }
    return outlets.ready(records);
  }

  /**
   * Each attempt that waits for a worker has a record of its own until it waits no more, so that
   * what a decision writes does not grow with all that waits beside it.
   */
  private static void addWaiting(
      Change change, State before, Instant now, List<Outlets.Outgoing> records) {
    if (!change.table().name().equals(LaneTables.ATTEMPTS.name())) {
      return;
    }
    Attempt attempt =
        change instanceof Change.Put<?> put ? LaneTables.ATTEMPTS.type().cast(put.value()) : null;
    if (attempt != null && attempt.waits()) {
      records.add(waiting(attempt, now));
    } else {
      Attempt was = before.get(LaneTables.ATTEMPTS, change.key());
      if (was != null && was.waits()) {
        records.add(new Outlets.Outgoing(Topic.LANE_STATUS, change.key(), null));
      }
    }
  }

  private static Outlets.Outgoing waiting(Attempt attempt, Instant now) {
    return new Outlets.Outgoing(
        Topic.LANE_STATUS,
        attempt.work().attemptId(),
        WorkCodecs.status(LaneStatus.waiting(attempt, now)));
  }

  private void add(LanesEffect effect, State after, Instant now, List<Outlets.Outgoing> records) {
    if (effect instanceof LanesEffect.Dispatch dispatch) {
      Work work = WorkCodecs.WORK.encode().apply(dispatch.work());
      boolean toController = dispatch.work().toController();
      records.add(
          new Outlets.Outgoing(
              toController ? Topic.PLUGIN_WORK : Topic.NODE_WORK,
              toController ? work.getPlugin() : work.getInstanceNode(),
              work,
              times.dispatched(dispatch.work())));
    } else if (effect instanceof LanesEffect.Settle settle) {
      records.add(
          new Outlets.Outgoing(
              Topic.SETTLEMENTS,
              settle.settlement().volumeKey(),
              SettlementCodec.SETTLEMENT.encode().apply(settle.settlement()),
              times.settled(settle.settlement())));
    } else if (effect instanceof LanesEffect.Answered answered) {
      records.add(
          new Outlets.Outgoing(
              Topic.COMMAND_RESULTS,
              answered.answer().commandId(),
              CommandCodecs.ANSWER.encode().apply(answered.answer())));
    } else if (effect instanceof LanesEffect.StatusChanged changed) {
      records.add(
          new Outlets.Outgoing(
              Topic.LANE_STATUS,
              changed.plugin(),
              WorkCodecs.status(LaneStatus.of(after, changed.plugin(), now))));
    } else if (effect instanceof LanesEffect.SlotsChanged changed) {
      records.add(
          new Outlets.Outgoing(
              Topic.NODE_SLOTS,
              Keys.slots(changed.slots().plugin(), changed.slots().node()),
              WorkCodecs.slots(changed.slots())));
    } else if (effect instanceof LanesEffect.Drifted drifted) {
      records.add(
          new Outlets.Outgoing(
              Topic.DRIFT_FINDINGS,
              drifted.drift().plugin(),
              ListingCodecs.finding(drifted.drift())));
    } else if (effect instanceof LanesEffect.Dropped dropped) {
      boolean known = after.get(LaneTables.PLUGIN_LANES, dropped.plugin()) != null;
      counts.dropped(known ? dropped.plugin() : UNKNOWN, dropped.cause());
      LOG.info(
          "report dropped plugin={} attempt={} acceptance={} cause={}",
          dropped.plugin(),
          dropped.attemptId(),
          dropped.acceptanceId(),
          dropped.cause());
    }
  }

  /** Sends what was prepared. */
  void send(List<Outlets.Ready> prepared) {
    outlets.send(prepared);
  }
}
