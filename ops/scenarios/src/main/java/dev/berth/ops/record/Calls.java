package dev.berth.ops.record;

import dev.berth.ops.scenario.Rpc;
import dev.berth.ops.scenario.Words;
import dev.berth.records.Acceptance;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The RPCs of a recording: when each began and how it ended, from what workers wrote. */
final class Calls {
  /** Retries of a scenario know no jitter and its clock another tick, so an RPC may begin later. */
  private static final double SHARE = 0.25;

  private static final Duration LEAST = Duration.ofSeconds(2);

  private final Concern concern;
  private final Instant end;
  private final boolean exact;
  private final Map<String, Outcome> outcomes = new HashMap<>();
  private final Map<String, Instant> started = new HashMap<>();
  private final Map<String, Instant> lastEnded = new HashMap<>();

  /**
   * Of records.
   *
   * @param exact whether the records are those of a scenario, in which everything has its time
   */
  Calls(List<Kept> records, Concern concern, Instant end, boolean exact) {
    this.concern = concern;
    this.end = end;
    this.exact = exact;
    for (Kept kept : records) {
      if (kept.value() instanceof Outcome outcome) {
        outcomes.putIfAbsent(id(outcome.getAcceptanceId(), outcome.getCallIndex()), outcome);
      }
    }
  }

  private static String id(String acceptance, int index) {
    return acceptance + "#" + index;
  }

  /** What follows from the acceptance of an attempt. */
  List<Item> of(Acceptance acceptance, Instant at) {
    return concern
        .work(acceptance.getAttemptId())
        .map(work -> begun(work, acceptance.getAcceptanceId(), 0, at))
        .orElse(List.of());
  }

  private List<Item> begun(Work work, String acceptance, int index, Instant at) {
    if (index >= work.getCalls().size() || !concern.isOurs(work.getCalls().get(index))) {
      return List.of();
    }
    Outcome outcome = outcomes.get(id(acceptance, index));
    if (outcome != null && outcome.getFate() == CallFate.NOT_SENT) {
      return List.of();
    }
    WorkCall call = work.getCalls().get(index);
    List<Item> items = new ArrayList<>();
    started.put(id(acceptance, index), at);
    String text = Rpc.text(call.getCall()) + " @" + work.getInstanceNode();
    items.add(new Item.Started(at, call.getRequestId(), text));
    if (outcome == null && at.plusMillis(work.getTimeoutMillis()).isBefore(end)) {
      items.add(new Item.Input(at, List.of(new Step("restart", "worker"))));
    }
    return items;
  }

  /** What an outcome says: the answer, and the next call of the run. */
  List<Item> of(Outcome outcome, Instant at, Instant lastInput) {
    Optional<Work> found = concern.work(outcome.getAttemptId());
    if (found.isEmpty() || outcome.getCallIndex() >= found.get().getCalls().size()) {
      return List.of();
    }
    Work work = found.get();
    WorkCall call = work.getCalls().get(outcome.getCallIndex());
    List<Item> items = new ArrayList<>();
    if (concern.isOurs(call)) {
      items.add(ended(work, call, outcome, at, lastInput));
      lastEnded.put(call.getRequestId(), at);
      if (outcome.getCode() != RpcCode.OK) {
        items.add(new Item.Queued(at, call.getRequestId()));
      }
    }
    boolean goesOn =
        outcome.getFate() == CallFate.ANSWERED
            || outcomes.containsKey(id(outcome.getAcceptanceId(), outcome.getCallIndex() + 1));
    if (goesOn) {
      items.addAll(begun(work, outcome.getAcceptanceId(), outcome.getCallIndex() + 1, at));
    }
    return items;
  }

  private Item ended(Work work, WorkCall call, Outcome outcome, Instant at, Instant lastInput) {
    boolean byItself =
        outcome.getFate() == CallFate.NOT_SENT
            || (outcome.getFate() == CallFate.UNANSWERED
                && !concern.lanesShared()
                && outcome.getCode() == RpcCode.DEADLINE_EXCEEDED);
    Instant began = started.get(id(outcome.getAcceptanceId(), outcome.getCallIndex()));
    if (byItself || began == null) {
      return new Item.Passed(at);
    }
    String notation = Rpc.text(call.getCall());
    boolean never = outcome.getFate() == CallFate.UNREACHED;
    Step answer =
        Step.of("answer")
            .with("rpc", toController(call) ? notation : notation + " @" + work.getInstanceNode())
            .unless("OK", "with", never ? "UNAVAILABLE" : outcome.getCode().name())
            .unless(Map.of(), "context", outcome.getPublishContext())
            .unless("", "message", outcome.getMessage())
            .with("effect", never ? false : null)
            .with("within", patience(call.getRequestId(), began, lastInput));
    return new Item.Input(at, List.of(answer));
  }

  /** How long a file waits for the RPC to begin. */
  private Optional<Duration> patience(String request, Instant began, Instant lastInput) {
    if (exact) {
      return Optional.empty();
    }
    Instant since = lastEnded.getOrDefault(request, lastInput);
    long waited = Math.max(0, Duration.between(since, began).toSeconds());
    return Optional.of(LEAST.plusSeconds(Math.round(waited * SHARE)));
  }

  private static boolean toController(WorkCall call) {
    return call.getCall().getRpc() == CsiCall.CONTROLLER_PUBLISH
        || call.getCall().getRpc() == CsiCall.CONTROLLER_UNPUBLISH;
  }

  /** References that a call needed and that led nowhere; empty when that was not the reason. */
  List<String> missedSecrets(Outcome outcome) {
    if (outcome.getNotSent() != NotSentReason.SECRET_UNAVAILABLE) {
      return List.of();
    }
    return concern
        .work(outcome.getAttemptId())
        .map(work -> work.getCalls().get(outcome.getCallIndex()))
        .filter(concern::isOurs)
        .map(call -> call.getCall().getSecrets().values().stream().map(StepTexts::secret).toList())
        .orElse(List.of());
  }

  /** Why a call was not sent for a reason that no file can say; empty when there is none. */
  static Optional<String> unsaid(Outcome outcome) {
    return switch (outcome.getNotSent()) {
      case NONE, TIME_PASSED, RUN_STOPPED, SECRET_UNAVAILABLE, INCARNATION -> Optional.empty();
      case NO_PLUGIN, SHUTDOWN, INVALID ->
          Optional.of(
              "a call was not sent (%s) at %s: a scenario cannot say so"
                  .formatted(Words.of(outcome.getNotSent()), outcome.getEndedAt()));
    };
  }
}
