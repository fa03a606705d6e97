package dev.berth.bench.policies;

import dev.berth.records.AccessMode;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.Map;

/**
 * A worker of Berth in virtual time: it accepts work, makes its calls in order, and reports each.
 */
final class BerthWorker {
  private static final long NODE_CALL = 100;

  private final World world;
  private final BerthStreams streams;
  private long acceptances;

  BerthWorker(World world, BerthStreams streams) {
    this.world = world;
    this.streams = streams;
  }

  /** Accepts work and begins with its first call. */
  void accept(Work work) {
    String acceptance = "a" + ++acceptances;
    streams.report(
        new LanesEvent.Accepted(
            work.attemptId(), acceptance, work.plugin(), "worker", work.timeout()));
    call(work, acceptance, 0);
  }

  private void call(Work work, String acceptance, int index) {
    if (index == work.calls().size()) {
      return;
    }
    Call call = work.calls().get(index).call();
    Instant began = streams.now();
    if (!call.toController()) {
      world
          .time()
          .in(
              NODE_CALL,
              () -> {
                report(work, acceptance, index, answered(RpcCode.OK, call, began));
                call(work, acceptance, index + 1);
              });
      return;
    }
    world.call(
        driverCall(work, call),
        work.timeout().toMillis(),
        answer -> {
          report(work, acceptance, index, end(answer, call, began));
          if (answer == SimDriver.Answer.DEADLINE) {
            notSent(work, acceptance, index + 1);
          } else {
            call(work, acceptance, index + 1);
          }
        });
  }

  private static SimDriver.Call driverCall(Work work, Call call) {
    return new SimDriver.Call(
        call.rpc() == CsiCall.CONTROLLER_PUBLISH ? DriverTimes.Rpc.ATTACH : DriverTimes.Rpc.DETACH,
        work.plugin(),
        call.volume(),
        call.node(),
        call.access() == AccessMode.SINGLE_NODE_WRITER);
  }

  private CallEnd end(SimDriver.Answer answer, Call call, Instant began) {
    return switch (answer) {
      case OK -> answered(RpcCode.OK, call, began);
      case UNAVAILABLE -> answered(RpcCode.UNAVAILABLE, call, began);
      case ELSEWHERE -> answered(RpcCode.FAILED_PRECONDITION, call, began);
      case DEADLINE ->
          end(CallFate.UNANSWERED, NotSentReason.NONE, RpcCode.DEADLINE_EXCEEDED, began);
    };
  }

  private CallEnd answered(RpcCode code, Call call, Instant began) {
    CallEnd end = end(CallFate.ANSWERED, NotSentReason.NONE, code, began);
    boolean attached = code == RpcCode.OK && call.rpc() == CsiCall.CONTROLLER_PUBLISH;
    return attached
        ? new CallEnd(
            end.fate(),
            end.notSent(),
            code,
            "",
            Map.of("device", "xvdf"),
            end.startedAt(),
            end.endedAt())
        : end;
  }

  private CallEnd end(CallFate fate, NotSentReason notSent, RpcCode code, Instant began) {
    return new CallEnd(
        fate, notSent, code, code == RpcCode.OK ? "" : "simulated", Map.of(), began, streams.now());
  }

  /** No call of a run begins behind one that was not answered. */
  private void notSent(Work work, String acceptance, int first) {
    for (int index = first; index < work.calls().size(); index++) {
      report(
          work,
          acceptance,
          index,
          end(CallFate.NOT_SENT, NotSentReason.RUN_STOPPED, RpcCode.UNAVAILABLE, streams.now()));
    }
  }

  private void report(Work work, String acceptance, int index, CallEnd end) {
    streams.report(
        new LanesEvent.OutcomeArrived(
            work.attemptId(),
            acceptance,
            work.plugin(),
            work.calls().get(index).requestId(),
            index,
            end));
  }
}
