package dev.berth.workers.call;

import dev.berth.records.Call;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.workers.accept.Accepted;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of one accepted attempt, made in order on one thread, each reported as it ends. */
final class AttemptRun implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(AttemptRun.class);

  private final Accepted accepted;
  private final PluginCaller caller;
  private final OutcomeSink sink;
  private final Clocks clocks;
  private final BooleanSupplier abandoned;

  AttemptRun(
      Accepted accepted,
      PluginCaller caller,
      OutcomeSink sink,
      Clocks clocks,
      BooleanSupplier abandoned) {
    this.accepted = accepted;
    this.caller = caller;
    this.sink = sink;
    this.clocks = clocks;
    this.abandoned = abandoned;
  }

  @Override
  public void run() {
    RunProgress run = RunProgress.begin(clocks.read());
    List<CompletableFuture<Void>> written = new ArrayList<>();
    for (int index = 0; index < accepted.work().getCalls().size(); index++) {
      Moment started = clocks.read();
      CallResult result = make(run, index, started);
      Moment ended = result instanceof CallResult.NotSent ? started : clocks.read();
      run = run.after(index, result);
      written.add(report(index, result, started, ended));
    }
    // The attempt is open until it is written what became of it.
    CompletableFuture.allOf(written.toArray(CompletableFuture<?>[]::new)).join();
  }

  private CallResult make(RunProgress run, int index, Moment now) {
    Optional<CallResult.NotSent> refusal = run.refusal(index, now);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    if (abandoned.getAsBoolean()) {
      return new CallResult.NotSent(
          NotSentReason.SHUTDOWN, "the worker shuts down and waits no longer");
    }
    Call call = accepted.work().getCalls().get(index).getCall();
    try {
      return caller.call(accepted, call);
    } catch (RuntimeException | Error e) {
      // A bug, but the lane must learn that the call is over; what it did is anybody's guess.
      // Its message stays out of the log, for it may quote what was to be sent.
      log.error(
          "call failed inside the worker attempt={} error={} at={}",
          accepted.work().getAttemptId(),
          e.getClass().getName(),
          e.getStackTrace());
      return new CallResult.Unanswered(
          RpcCode.INTERNAL, "the worker failed: " + e.getClass().getSimpleName());
    }
  }

  private CompletableFuture<Void> report(
      int index, CallResult result, Moment started, Moment ended) {
    Call call = accepted.work().getCalls().get(index).getCall();
    log.debug(
        "call ended rpc={} plugin={} volume={}/{} alloc={} node={} attempt={}" + " result={} ms={}",
        call.getRpc(),
        accepted.work().getPlugin(),
        call.getNamespace(),
        call.getVolume(),
        call.getAlloc().orElse("-"),
        call.getNode(),
        accepted.work().getAttemptId(),
        result.getClass().getSimpleName(),
        ended.since(started).toMillis());
    if (abandoned.getAsBoolean() && result instanceof CallResult.Unanswered) {
      // We stopped to listen; the plugin may still be working. Without a report the lane waits for
      // the whole time that the call was allowed, as it does for a worker that was killed.
      log.warn(
          "call left without a report plugin={} attempt={}",
          accepted.work().getPlugin(),
          accepted.work().getAttemptId());
      return CompletableFuture.completedFuture(null);
    }
    StepTimes before = accepted.times().ofCall(index);
    StepTimes times =
        result instanceof CallResult.NotSent
            ? before
            : before.with(Step.RPC_STARTED, started.wall()).with(Step.RPC_ENDED, ended.wall());
    return sink.report(
        OutcomeRecords.of(accepted, index, result, started.wall(), ended.wall()), times);
  }
}
