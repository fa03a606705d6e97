package dev.berth.driver;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.script.Latency;
import dev.berth.driver.script.Plan;
import dev.berth.driver.script.Script;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Runs every call the same way: log, script, time, work, answer. Holds no thread while it waits.
 */
final class CallRunner {

  private final Script script;
  private final CallLog log;
  private final ScheduledExecutorService timer;
  private final Set<RunningCall<?>> working = ConcurrentHashMap.newKeySet();

  CallRunner(Script script, CallLog log, ScheduledExecutorService timer) {
    this.script = script;
    this.log = log;
    this.timer = timer;
  }

  <T> void run(CallFacts facts, Latency usual, Work<T> work, StreamObserver<T> caller) {
    long number = log.started(facts);
    Plan plan = script.next(number, facts, usual);
    RunningCall<T> call =
        new RunningCall<>(
            number,
            facts.rpc(),
            plan,
            work,
            (ServerCallStreamObserver<T>) caller,
            log,
            timer,
            working::remove);
    working.add(call);
    call.start();
  }

  /** Drops all work that is still to be done, as the death of the process would. */
  void abandonAll() {
    List.copyOf(working).forEach(RunningCall::abandon);
  }
}
