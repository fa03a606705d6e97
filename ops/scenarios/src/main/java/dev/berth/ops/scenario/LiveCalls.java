package dev.berth.ops.scenario;

import dev.berth.driver.calls.Call;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.script.Behaviour;
import dev.berth.driver.script.Director;
import dev.berth.driver.script.Plan;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.workers.call.CallResult;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of a live scenario: says what each one gets, and finds the work that it was made for.
 *
 * <p>{@link #plan} is called by drivers, everything else by the thread of the scenario.
 */
final class LiveCalls implements Director {
  private static final Set<String> ENDING = Set.of("CU", "NU", "NT");

  private final boolean manual;
  private final ScriptedPlugin script = new ScriptedPlugin();
  private final Map<Long, CompletableFuture<Behaviour>> held = new ConcurrentHashMap<>();
  private final Set<Long> slow = ConcurrentHashMap.newKeySet();
  private final Map<Long, Rpc> byNumber = new LinkedHashMap<>();
  private final List<Happened> story = new ArrayList<>();
  private final List<Wanted> wanted = new ArrayList<>();

  LiveCalls(boolean manual) {
    this.manual = manual;
  }

  /** A call that a work record asks for and nobody has made yet. */
  private record Wanted(Work work, int index) {
    String key() {
      Rpc rpc = new Rpc(work, index, Instant.EPOCH);
      return rpc.plugin() + " " + withoutAccess(rpc.text());
    }
  }

  // ---- answers

  @Override
  public Optional<Plan> plan(long call, CallFacts facts) {
    if (!facts.rpc().changesState()) {
      return Optional.empty();
    }
    if (manual) {
      CompletableFuture<Behaviour> answer = new CompletableFuture<>();
      held.put(call, answer);
      return Optional.of(new Plan(new Behaviour.Held(answer), Duration.ZERO, false));
    }
    ScriptedPlugin.Outcome outcome;
    synchronized (script) {
      outcome = script.outcome(notation(facts));
    }
    if (!outcome.delay().isZero()) {
      slow.add(call);
    }
    return Optional.of(
        new Plan(
            behaviour(
                outcome.code(),
                outcome.message(),
                endsWithIt(facts.rpc().symbol(), outcome.code())),
            outcome.delay(),
            false));
  }

  /** A provider of which a file says that it knows no attachment or mount has none from then on. */
  private static boolean endsWithIt(String kind, RpcCode code) {
    return code == RpcCode.NOT_FOUND && ENDING.contains(kind);
  }

  void add(Value.Fields fields) {
    synchronized (script) {
      script.add(fields);
    }
  }

  /** Answers an open call. */
  void answer(Rpc rpc, PluginAnswer answer) {
    long number =
        byNumber.entrySet().stream()
            .filter(entry -> entry.getValue().equals(rpc))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    CompletableFuture<Behaviour> waiting = held.remove(number);
    if (waiting != null) {
      waiting.complete(
          answer.code() == RpcCode.OK && !answer.context().isEmpty()
              ? new Behaviour.AnswerWith(answer.context())
              : behaviour(
                  answer.code(),
                  answer.message(),
                  answer.done() || endsWithIt(rpc.kind(), answer.code())));
    }
  }

  private static Behaviour behaviour(RpcCode code, String message, boolean done) {
    if (code == RpcCode.OK) {
      return new Behaviour.Answer();
    }
    Status.Code status = Status.Code.valueOf(code.name());
    return done
        ? new Behaviour.FailAfterEffect(status, message)
        : new Behaviour.Fail(status, message);
  }

  // ---- what was called

  /** Takes note of a work record. */
  void wanted(Work work) {
    for (int i = 0; i < work.getCalls().size(); i++) {
      wanted.add(new Wanted(work, i));
    }
  }

  /** Takes note that a call will not be made. */
  void notSent(String attempt, int index) {
    wanted.removeIf(it -> it.work().getAttemptId().equals(attempt) && it.index() == index);
  }

  /**
   * Looks at the log. Returns the calls that began since the last look, each with its RPC; those
   * whose work has not been seen yet come later.
   */
  List<Rpc> look(CallLog log, Trace trace) {
    List<Rpc> fresh = new ArrayList<>();
    for (Call call : log.calls()) {
      if (!call.facts().rpc().changesState()) {
        continue;
      }
      Rpc rpc = byNumber.get(call.number());
      if (rpc == null) {
        Optional<Wanted> work = take(call);
        if (work.isEmpty()) {
          continue;
        }
        rpc = new Rpc(work.get().work(), work.get().index(), call.startedAt());
        byNumber.put(call.number(), rpc);
        fresh.add(rpc);
        trace.called(rpc);
        story.add(new Happened.Called(rpc));
      }
      if (!call.isOpen() && rpc.ended() == null) {
        rpc.end(call.end().orElseThrow().at());
        held.remove(call.number());
        slow.remove(call.number());
        trace.answered(rpc, text(call.end().orElseThrow()));
        story.add(new Happened.Ended(rpc, result(call.end().orElseThrow())));
      }
    }
    return fresh;
  }

  /** Calls that change something and that nobody is known to have asked for. */
  List<Call> unasked(CallLog log) {
    return log.calls().stream()
        .filter(call -> call.facts().rpc().changesState() && !byNumber.containsKey(call.number()))
        .toList();
  }

  /** The calls and their ends, each after the other. */
  List<Happened> story() {
    return story;
  }

  private static CallResult result(Call.End end) {
    RpcCode code = RpcCode.valueOf(end.code().name());
    return end.code() == Status.Code.DEADLINE_EXCEEDED || end.code() == Status.Code.CANCELLED
        ? new CallResult.Unanswered(code, end.message())
        : new CallResult.Answered(code, end.message(), Map.of());
  }

  private static String text(Call.End end) {
    return end.code() + (end.message().isEmpty() ? "" : ", " + end.message());
  }

  private Optional<Wanted> take(Call call) {
    String key = call.facts().plugin() + " " + withoutAccess(notation(call.facts()));
    Optional<Wanted> found = wanted.stream().filter(it -> it.key().equals(key)).findFirst();
    found.ifPresent(wanted::remove);
    return found;
  }

  /** Every RPC made so far, in order. */
  List<Rpc> made() {
    return List.copyOf(byNumber.values());
  }

  /** Attempts that go on only when the file or the clock says so. */
  Set<String> waitingAttempts() {
    Set<String> attempts = ConcurrentHashMap.newKeySet();
    byNumber.forEach(
        (number, rpc) -> {
          if (rpc.ended() == null && (held.containsKey(number) || slow.contains(number))) {
            attempts.add(rpc.work().getAttemptId());
          }
        });
    return attempts;
  }

  // ---- notation

  private static String notation(CallFacts facts) {
    String begin = facts.rpc().symbol() + " " + facts.volume();
    String end = " @" + facts.instance();
    return switch (facts.rpc()) {
      case CONTROLLER_PUBLISH ->
          begin + " " + facts.node() + (facts.readonly() ? " ro" : " rw") + end;
      case CONTROLLER_UNPUBLISH -> begin + " " + facts.node() + end;
      case NODE_PUBLISH, NODE_UNPUBLISH -> begin + " " + alloc(facts.path()) + end;
      default -> begin + end;
    };
  }

  /** Target paths are …/per-alloc/ALLOC/NAMESPACE/VOLUME. */
  private static String alloc(String target) {
    List<String> segments = List.of(target.split("/", -1));
    int at = segments.lastIndexOf("per-alloc");
    return at < 0 || at + 1 >= segments.size() ? "" : segments.get(at + 1);
  }

  /** A plugin that knows no read-only attach is not told of it. */
  private static String withoutAccess(String notation) {
    return notation.startsWith("CP ") ? notation.replaceFirst(" r[ow] @", " @") : notation;
  }
}
