package dev.berth.ops.explore;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a simulated world: they accept, call and report. They keep their own record of
 * which calls are open, so that the lanes' bookkeeping is not its own witness.
 */
final class Workers {
  private final Consumer<String> broken;
  private final List<OpenCall> calls = new ArrayList<>();
  private final List<LanesEvent> reports = new ArrayList<>();
  private final List<LanesEvent.OutcomeArrived> late = new ArrayList<>();

  Workers(Consumer<String> broken) {
    this.broken = broken;
  }

  void restore(Scene scene) {
    calls.clear();
    calls.addAll(scene.calls());
    reports.clear();
    reports.addAll(scene.reports());
    late.clear();
    late.addAll(scene.late());
  }

  /** Calls that are being made, the oldest first. */
  List<OpenCall> calls() {
    return calls;
  }

  /** Reports on their way. */
  List<LanesEvent> reports() {
    return reports;
  }

  /** Reports that are stuck. */
  List<LanesEvent.OutcomeArrived> late() {
    return late;
  }

  /** Accepts work and makes its first call. */
  OpenCall accept(Work work, Instant now) {
    OpenCall call = new OpenCall(work, 0, now.plus(work.timeout()));
    calls.stream()
        .filter(open -> open.work().lane().equals(work.lane()))
        .forEach(
            open ->
                broken.accept(
                    call.text() + " while " + open.text() + " is open in lane " + work.lane()));
    reports.add(accepted(call));
    calls.add(call);
    return call;
  }

  /** Accepts work and finds that its node is not the one it was meant for. */
  void refuse(Work work, Instant now) {
    OpenCall call = new OpenCall(work, 0, now);
    reports.add(accepted(call));
    notSent(call, NotSentReason.INCARNATION, now);
  }

  /**
   * A call ends; what it did was seen to by whoever ends it.
   *
   * @return the next call of its run, which has begun; null when there is none
   */
  @Nullable OpenCall end(OpenCall call, Ending ending, Instant now) {
    calls.remove(call);
    LanesEvent.OutcomeArrived outcome = outcome(call, known(call, ending, now));
    switch (ending.report()) {
      case AT_ONCE -> reports.add(outcome);
      case LATE -> late.add(outcome);
      case NEVER -> {
        return null;
      }
    }
    if (!call.hasNext()) {
      return null;
    }
    if (ending.fate() != CallFate.ANSWERED) {
      notSent(call.next(), NotSentReason.RUN_STOPPED, now);
      return null;
    }
    calls.add(call.next());
    return call.next();
  }

  /** A call and those behind it in its run are not made. */
  private void notSent(OpenCall first, NotSentReason reason, Instant now) {
    CallEnd end =
        new CallEnd(CallFate.NOT_SENT, reason, RpcCode.UNAVAILABLE, "not sent", Map.of(), now, now);
    OpenCall call = first;
    reports.add(outcome(call, end));
    while (call.hasNext()) {
      call = call.next();
      reports.add(outcome(call, end));
    }
  }

  private static LanesEvent.Accepted accepted(OpenCall call) {
    Work work = call.work();
    return new LanesEvent.Accepted(
        work.attemptId(), call.acceptance(), work.plugin(), "worker", work.timeout());
  }

  private static CallEnd known(OpenCall call, Ending ending, Instant now) {
    boolean attached =
        ending.code() == RpcCode.OK && call.call().rpc() == CsiCall.CONTROLLER_PUBLISH;
    return new CallEnd(
        ending.fate(),
        NotSentReason.NONE,
        ending.code(),
        "",
        attached ? Map.of("device", "xvd") : Map.of(),
        now,
        now);
  }

  private static LanesEvent.OutcomeArrived outcome(OpenCall call, CallEnd end) {
    return new LanesEvent.OutcomeArrived(
        call.work().attemptId(),
        call.acceptance(),
        call.work().plugin(),
        call.requestId(),
        call.index(),
        end);
  }
}
