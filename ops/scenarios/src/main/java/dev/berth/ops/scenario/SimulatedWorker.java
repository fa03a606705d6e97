package dev.berth.ops.scenario;

import dev.berth.records.Acceptance;
import dev.berth.records.Call;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.workers.accept.AcceptDecision;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.accept.Polled;
import dev.berth.workers.call.CallResult;
import dev.berth.workers.call.LastCheck;
import dev.berth.workers.call.OutcomeRecords;
import dev.berth.workers.call.RunProgress;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.Redaction;
import dev.berth.workers.secrets.SecretResolution;
import dev.berth.workers.secrets.SecretSource;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a scenario: the real accept decision, the real check of the time allowed, the real
 * resolution and redaction of secrets; only the socket is replaced by a script.
 */
final class SimulatedWorker {
  private static final int ROOM = 100_000;

  private final ScriptedPlugin plugin;
  private final boolean manual;
  private final Trace trace;
  private final Consumer<Happened> story;
  private final Consumer<Acceptance> acceptances;
  private final Consumer<Outcome> outcomes;
  private final List<Rpc> made = new ArrayList<>();
  private final List<Rpc> open = new ArrayList<>();
  private final Map<Rpc, Sent> sent = new LinkedHashMap<>();
  private final Map<Rpc, Pending> pending = new LinkedHashMap<>();
  private final Map<String, RunProgress> runs = new HashMap<>();
  private final Map<String, String> secrets = new HashMap<>();
  private final MissingSecrets missing = new MissingSecrets(source());
  private final BiConsumer<String, List<String>> found;
  private final Map<String, Integer> moves = new HashMap<>();
  private final Map<String, Set<String>> known = new HashMap<>();
  private long offset;
  private long acceptanceNumber;

  SimulatedWorker(
      ScriptedPlugin plugin,
      boolean manual,
      Trace trace,
      Consumer<Happened> story,
      Consumer<Acceptance> acceptances,
      Consumer<Outcome> outcomes,
      BiConsumer<String, List<String>> found) {
    this.plugin = plugin;
    this.manual = manual;
    this.trace = trace;
    this.story = story;
    this.acceptances = acceptances;
    this.outcomes = outcomes;
    this.found = found;
  }

  private record Pending(Instant due, CallResult result) {}

  /**
   * What the worker keeps of an open RPC.
   *
   * @param accepted the attempt
   * @param redaction what may not leave it
   * @param deadline when it gives the RPC up
   */
  private record Sent(Accepted accepted, Redaction redaction, Instant deadline) {}

  private Sent sent(Rpc rpc) {
    return Objects.requireNonNull(sent.get(rpc));
  }

  /** Every RPC made so far, in order. */
  List<Rpc> made() {
    return made;
  }

  /** RPCs in flight. */
  List<Rpc> open() {
    return open;
  }

  void secret(String reference, @Nullable String value, Instant now) {
    if (value == null) {
      secrets.remove(reference);
    } else {
      secrets.put(reference, value);
      missing.found(moment(now)).forEach(found);
    }
  }

  /** Polls one work record: accepts it and makes its first call. */
  void poll(Work work, String topic, Instant now) {
    Polled record = new Polled.Dispatched(new TopicPartition(topic, 0), offset++, work);
    String owner = owner(work.getPlugin());
    Set<String> acceptedBefore = known.computeIfAbsent(owner, unused -> new HashSet<>());
    AcceptDecision decision =
        AcceptDecision.decide(List.of(record), work.getRoute(), acceptedBefore::contains, ROOM);
    for (Work accepted : decision.accepted()) {
      acceptedBefore.add(accepted.getAttemptId());
      Accepted attempt =
          Accepted.of(accepted, owner, "acceptance-" + ++acceptanceNumber, moment(now));
      acceptances.accept(attempt.acceptance());
      runs.put(attempt.acceptance().getAcceptanceId(), RunProgress.begin(moment(now)));
      call(attempt, 0, now);
    }
  }

  private void call(Accepted attempt, int index, Instant now) {
    if (index >= attempt.work().getCalls().size()) {
      runs.remove(attempt.acceptance().getAcceptanceId());
      return;
    }
    Optional<CallResult.NotSent> stopped = run(attempt).refusal(index, moment(now));
    if (stopped.isPresent()) {
      notSent(attempt, index, stopped.get(), now);
      return;
    }
    Call call = attempt.work().getCalls().get(index).getCall();
    SecretResolution resolution = SecretResolution.of(call, source());
    if (resolution instanceof SecretResolution.Refused refused) {
      missing.missed(attempt.work().getPlugin(), refused.missing(), moment(now));
      notSent(attempt, index, new CallResult.NotSent(refused.reason(), refused.message()), now);
      return;
    }
    Optional<CallResult.NotSent> tooLate = LastCheck.refusal(attempt.time(), moment(now));
    if (tooLate.isPresent()) {
      notSent(attempt, index, tooLate.get(), now);
      return;
    }
    Duration left = attempt.time().left(moment(now));
    Rpc rpc = new Rpc(attempt.work(), index, now);
    sent.put(
        rpc,
        new Sent(attempt, ((SecretResolution.Resolved) resolution).redaction(), now.plus(left)));
    made.add(rpc);
    open.add(rpc);
    trace.called(rpc);
    story.accept(new Happened.Called(rpc));
    if (!manual) {
      ScriptedPlugin.Answer answer = plugin.answer(rpc);
      pending.put(rpc, new Pending(now.plus(answer.delay()), answer.result()));
    }
  }

  /** Answers what is due by now. */
  boolean answerDue(Instant now) {
    for (Rpc rpc : List.copyOf(open)) {
      Pending answer = pending.get(rpc);
      if (answer != null
          && !answer.due().isAfter(now)
          && !answer.due().isAfter(sent(rpc).deadline())) {
        end(rpc, answer.result(), now);
        return true;
      }
      if (!sent(rpc).deadline().isAfter(now)) {
        end(rpc, new CallResult.Unanswered(RpcCode.DEADLINE_EXCEEDED, "no answer in time"), now);
        return true;
      }
    }
    return false;
  }

  /** The next time at which a call ends by itself; null when none does. */
  @Nullable Instant nextEnd() {
    Instant next = null;
    for (Rpc rpc : open) {
      Pending answer = pending.get(rpc);
      Instant at =
          answer != null && answer.due().isBefore(sent(rpc).deadline())
              ? answer.due()
              : sent(rpc).deadline();
      next = next == null || at.isBefore(next) ? at : next;
    }
    return next;
  }

  /** Ends an open RPC with an answer. */
  void end(Rpc rpc, CallResult result, Instant now) {
    Sent sent = sent(rpc);
    open.remove(rpc);
    pending.remove(rpc);
    this.sent.remove(rpc);
    rpc.end(now);
    CallResult told = redacted(sent.redaction(), result);
    trace.answered(rpc, text(told));
    story.accept(new Happened.Ended(rpc, told));
    report(sent.accepted(), rpc.index(), told, rpc.started(), now);
    goOn(sent.accepted(), rpc.index(), result, now);
  }

  private void notSent(Accepted attempt, int index, CallResult.NotSent result, Instant now) {
    report(attempt, index, result, now, now);
    goOn(attempt, index, result, now);
  }

  private void goOn(Accepted attempt, int index, CallResult result, Instant now) {
    runs.put(attempt.acceptance().getAcceptanceId(), run(attempt).after(index, result));
    call(attempt, index + 1, now);
  }

  private RunProgress run(Accepted attempt) {
    return Objects.requireNonNull(runs.get(attempt.acceptance().getAcceptanceId()));
  }

  private static String text(CallResult result) {
    if (result instanceof CallResult.Answered answered) {
      return answered.code() + (answered.message().isEmpty() ? "" : ", " + answered.message());
    } else if (result instanceof CallResult.Unreached) {
      return "not reached";
    }
    return "no answer";
  }

  private static CallResult redacted(Redaction redaction, CallResult result) {
    if (result instanceof CallResult.Answered answered) {
      return new CallResult.Answered(
          answered.code(),
          redaction.text(answered.message()),
          redaction.context(answered.publishContext()));
    }
    return result;
  }

  /**
   * A plugin's partition moves to another worker. That one knows nothing of the calls that the old
   * one has open; they go on, and are reported when they end.
   */
  void rebalance(String plugin) {
    moves.merge(plugin, 1, Integer::sum);
    trace.step("the partition of " + plugin + " moves to " + owner(plugin));
  }

  /** The worker that accepts a plugin's work now. */
  private String owner(String plugin) {
    return "worker-" + (1 + moves.getOrDefault(plugin, 0));
  }

  /** The process is killed: what is open is never reported. */
  void crash(Instant now) {
    trace.step("the workers crash; calls that are open are never reported");
    for (Rpc rpc : open) {
      rpc.end(now);
      story.accept(new Happened.Ended(rpc, null));
    }
    open.clear();
    sent.clear();
    pending.clear();
    runs.clear();
    known.clear();
  }

  private void report(
      Accepted attempt, int index, CallResult result, Instant started, Instant ended) {
    outcomes.accept(OutcomeRecords.of(attempt, index, result, started, ended));
  }

  private SecretSource source() {
    return reference -> {
      String value =
          secrets.get(
              reference.path().isEmpty()
                  ? reference.key()
                  : reference.path() + ":" + reference.key());
      return value == null
          ? new SecretSource.Lookup.Missing("no such secret")
          : new SecretSource.Lookup.Found(value);
    };
  }

  private static Moment moment(Instant now) {
    return new Moment(Duration.between(Instant.EPOCH, now).toNanos(), now);
  }
}
