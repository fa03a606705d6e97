package dev.berth.streams.codec;

import dev.berth.records.AttemptBudget;
import dev.berth.records.CallFate;
import dev.berth.records.CallOut;
import dev.berth.records.CallWaits;
import dev.berth.records.EndedCall;
import dev.berth.records.InLine;
import dev.berth.records.LaneAttempt;
import dev.berth.records.LaneDue;
import dev.berth.records.LaneQueue;
import dev.berth.records.LaneState;
import dev.berth.records.NodeBreaker;
import dev.berth.records.NotSentReason;
import dev.berth.records.OpenAcceptance;
import dev.berth.streams.lanes.Attempt;
import dev.berth.streams.lanes.Breaker;
import dev.berth.streams.lanes.Budget;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.ExternalIdHolder;
import dev.berth.streams.lanes.Lane;
import dev.berth.streams.lanes.LaneCall;
import dev.berth.streams.lanes.LaneKind;
import dev.berth.streams.lanes.Place;
import dev.berth.streams.lanes.QueueEntry;
import dev.berth.streams.lanes.SlotCount;
import dev.berth.streams.lanes.SlotUse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Codecs of the tables of the lanes. What the lanes of a plugin share has its own: {@link
 * PluginLanesCodec}.
 */
public final class LaneStoreCodecs {
  /** A row of {@code LaneTables.REQUESTS}. */
  public static final Codec<LaneCall, dev.berth.records.LaneCall> CALL =
      new Codec<>(
          LaneCall.class,
          dev.berth.records.LaneCall.class,
          LaneStoreCodecs::encodeCall,
          LaneStoreCodecs::decodeCall);

  /** A row of {@code LaneTables.ATTEMPTS}. */
  public static final Codec<Attempt, LaneAttempt> ATTEMPT =
      new Codec<>(
          Attempt.class,
          LaneAttempt.class,
          LaneStoreCodecs::encodeAttempt,
          LaneStoreCodecs::decodeAttempt);

  /** A row of {@code LaneTables.LANES}. */
  public static final Codec<Lane, LaneState> LANE =
      new Codec<>(
          Lane.class, LaneState.class, LaneStoreCodecs::encodeLane, LaneStoreCodecs::decodeLane);

  /** A row of {@code LaneTables.SLOTS}. */
  public static final Codec<SlotUse, dev.berth.records.SlotUse> SLOT =
      new Codec<>(
          SlotUse.class,
          dev.berth.records.SlotUse.class,
          slot -> new dev.berth.records.SlotUse(slot.pending(), slot.mayExist()),
          row -> new SlotUse(row.getPending().orElse(null), row.getMayExist()));

  /** A row of {@code LaneTables.SLOT_COUNTS}. */
  public static final Codec<SlotCount, dev.berth.records.SlotCount> SLOT_COUNT =
      new Codec<>(
          SlotCount.class,
          dev.berth.records.SlotCount.class,
          count -> new dev.berth.records.SlotCount(count.inUse()),
          row -> new SlotCount(row.getInUse()));

  /** A row of {@code LaneTables.EXTERNAL_IDS}. */
  public static final Codec<ExternalIdHolder, dev.berth.records.ExternalIdHolder> EXTERNAL_ID =
      new Codec<>(
          ExternalIdHolder.class,
          dev.berth.records.ExternalIdHolder.class,
          holder -> new dev.berth.records.ExternalIdHolder(holder.volumeKey()),
          row -> new ExternalIdHolder(row.getVolumeKey()));

  /** A row of {@code LaneTables.BREAKERS}. */
  public static final Codec<Breaker, NodeBreaker> BREAKER =
      new Codec<>(
          Breaker.class,
          NodeBreaker.class,
          breaker ->
              NodeBreaker.newBuilder()
                  .setFailures(breaker.failures())
                  .setTrialAt(breaker.trialAt())
                  .build(),
          row -> new Breaker(row.getFailures(), row.getTrialAt().orElse(null)));

  /** A row of the queue and of the indexes of calls. */
  public static final Codec<QueueEntry, dev.berth.records.QueueEntry> QUEUE_ENTRY =
      new Codec<>(
          QueueEntry.class,
          dev.berth.records.QueueEntry.class,
          entry -> new dev.berth.records.QueueEntry(entry.requestId(), entry.node()),
          row -> new QueueEntry(row.getRequestId(), row.getNode()));

  /** A row of {@code LaneTables.DUE}. */
  public static final Codec<DueItem, LaneDue> DUE =
      new Codec<>(
          DueItem.class,
          LaneDue.class,
          item -> new LaneDue(item.kind().name(), item.id()),
          row -> new DueItem(DueItem.Kind.valueOf(row.getKind()), row.getId()));

  private LaneStoreCodecs() {}

  // ---- calls

  private static dev.berth.records.LaneCall encodeCall(LaneCall call) {
    return new dev.berth.records.LaneCall(
        call.requestId(),
        call.volumeKey(),
        call.plugin(),
        CallCodec.CALL.encode().apply(call.call()),
        call.takesSlot(),
        call.restores(),
        call.scheduler(),
        call.arrival(),
        call.arrivedAt(),
        encodePlace(call.place()),
        encodeBudget(call.budget()),
        call.mayHaveEffect(),
        call.reached());
  }

  private static LaneCall decodeCall(dev.berth.records.LaneCall row) {
    return new LaneCall(
        row.getRequestId(),
        row.getVolumeKey(),
        row.getPlugin(),
        CallCodec.CALL.decode().apply(row.getCall()),
        row.getTakesSlot(),
        row.getRestores(),
        row.getScheduler().orElse(null),
        row.getArrival(),
        row.getArrivedAt(),
        decodePlace(row.getPlace()),
        decodeBudget(row.getBudget()),
        row.getMayHaveEffect(),
        row.getReached());
  }

  private static Object encodePlace(Place place) {
    if (place instanceof Place.Queued queued) {
      return new InLine(queued.lane(), queued.position());
    } else if (place instanceof Place.Open open) {
      return new CallOut(
          open.lane(), open.attemptId(), open.tried(), open.withdrawn(), open.position());
    }
    return new CallWaits(HoldCodec.HOLD.encode().apply(((Place.Held) place).hold()));
  }

  private static Place decodePlace(Object place) {
    if (place instanceof InLine queued) {
      return new Place.Queued(queued.getLane(), queued.getPosition());
    } else if (place instanceof CallOut open) {
      return new Place.Open(
          open.getLane(),
          open.getAttemptId(),
          open.getTried(),
          open.getWithdrawn(),
          open.getPosition());
    }
    return new Place.Held(HoldCodec.HOLD.decode().apply(((CallWaits) place).getHold()));
  }

  private static AttemptBudget encodeBudget(Budget budget) {
    return AttemptBudget.newBuilder()
        .setAttempts(budget.attempts())
        .setFailures(budget.failures())
        .setUnclear(budget.unclear())
        .setFirstFailure(budget.firstFailure())
        .setLastFailure(budget.lastFailure())
        .setAbortedSince(budget.abortedSince())
        .setStuck(budget.stuck())
        .build();
  }

  private static Budget decodeBudget(AttemptBudget row) {
    return new Budget(
        row.getAttempts(),
        row.getFailures(),
        row.getUnclear(),
        row.getFirstFailure().orElse(null),
        row.getLastFailure().orElse(null),
        row.getAbortedSince().orElse(null),
        row.getStuck());
  }

  // ---- attempts

  private static LaneAttempt encodeAttempt(Attempt attempt) {
    return new LaneAttempt(
        WorkCodecs.WORK.encode().apply(attempt.work()),
        attempt.acceptances().stream().map(LaneStoreCodecs::encodeAcceptance).toList(),
        attempt.noWorkerShown());
  }

  private static Attempt decodeAttempt(LaneAttempt row) {
    return new Attempt(
        WorkCodecs.WORK.decode().apply(row.getWork()),
        row.getAcceptances().stream().map(LaneStoreCodecs::decodeAcceptance).toList(),
        row.getNoWorkerShown());
  }

  private static OpenAcceptance encodeAcceptance(Attempt.Acceptance acceptance) {
    return new OpenAcceptance(
        acceptance.id(),
        acceptance.worker(),
        acceptance.readAt(),
        acceptance.allowance().toMillis(),
        null,
        acceptance.ends().entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(end -> new EndedCall(end.getKey(), encodeEnd(end.getValue())))
            .toList());
  }

  private static Attempt.Acceptance decodeAcceptance(OpenAcceptance row) {
    return new Attempt.Acceptance(
        row.getId(),
        row.getWorker(),
        row.getReadAt(),
        Duration.ofMillis(row.getAllowanceMillis()),
        decodeEnds(row));
  }

  private static dev.berth.records.CallEnd encodeEnd(CallEnd end) {
    return new dev.berth.records.CallEnd(
        end.fate().name(),
        end.notSent().name(),
        end.code(),
        end.message(),
        end.publishContext(),
        end.startedAt(),
        end.endedAt(),
        end.attaches());
  }

  private static Map<Integer, CallEnd> decodeEnds(OpenAcceptance row) {
    Map<Integer, CallEnd> ends = new HashMap<>();
    row.getEnd().ifPresent(end -> ends.put(0, decodeEnd(end)));
    row.getEnds().forEach(ended -> ends.put(ended.getIndex(), decodeEnd(ended.getEnd())));
    return ends;
  }

  private static CallEnd decodeEnd(dev.berth.records.CallEnd end) {
    return new CallEnd(
        CallFate.valueOf(end.getFate()),
        NotSentReason.valueOf(end.getNotSent()),
        end.getCode(),
        end.getMessage(),
        end.getPublishContext(),
        end.getStartedAt(),
        end.getEndedAt(),
        end.getAttaches().orElse(null));
  }

  // ---- lanes

  private static LaneState encodeLane(Lane lane) {
    Lane.Turn turn = lane.turn();
    return LaneState.newBuilder()
        .setAttemptId(lane.attemptId())
        .setTurn(turn == null ? null : LaneQueue.valueOf(turn.kind().name()))
        .setUsed(turn == null ? 0 : turn.used())
        .build();
  }

  private static Lane decodeLane(LaneState row) {
    return new Lane(
        row.getAttemptId().orElse(null),
        row.getTurn()
            .map(queue -> new Lane.Turn(LaneKind.valueOf(queue.name()), row.getUsed()))
            .orElse(null));
  }
}
