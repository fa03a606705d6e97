package dev.berth.driver;

import dev.berth.driver.Work.Outcome;
import dev.berth.driver.calls.CallLog;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Admission;
import dev.berth.driver.script.Behaviour;
import dev.berth.driver.script.Plan;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call from its start to its end.
 *
 * <pre>
 *  start ── refused ─────────────────────────────► answered
 *    │
 *  waiting ── time ──► work done ── reply ───────► answered
 *    │                     └── reply withheld ───► caller gone
 *    └── caller gone ── work dropped, or done later if the script says so
 * </pre>
 *
 * <p>Time and the loss of the caller may come on different threads and at once: every method holds
 * the lock of this object.
 */
final class RunningCall<T> {

  /**
   * A caller whose deadline passes resets the stream a little before the server's own count of that
   * deadline, which began later by the travel time of the request.
   */
  private static final long DEADLINE_SLACK_MILLIS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(RunningCall.class);

  private final long number;
  private final Rpc rpc;
  private final Plan plan;
  private final Work<T> work;
  private final ServerCallStreamObserver<T> caller;
  private final CallLog log;
  private final ScheduledExecutorService timer;
  private final Consumer<RunningCall<?>> workEnded;
  private final @Nullable Deadline deadline = Context.current().getDeadline();

  private @Nullable Runnable release;
  private @Nullable Future<?> due;
  private Behaviour behaviour;
  private boolean ended;

  RunningCall(
      long number,
      Rpc rpc,
      Plan plan,
      Work<T> work,
      ServerCallStreamObserver<T> caller,
      CallLog log,
      ScheduledExecutorService timer,
      Consumer<RunningCall<?>> workEnded) {
    this.number = number;
    this.rpc = rpc;
    this.plan = plan;
    this.behaviour = plan.behaviour();
    this.work = work;
    this.caller = caller;
    this.log = log;
    this.timer = timer;
    this.workEnded = workEnded;
  }

  /** To be called in the service method: only there gRPC takes a cancel handler. */
  synchronized void start() {
    caller.setOnCancelHandler(this::callerGone);
    Admission admission = work.begin().get();
    if (admission instanceof Admission.Refused refused) {
      release();
      fail(refused.code(), refused.message());
    } else if (admission instanceof Admission.Doomed doomed) {
      release = doomed.release();
      after(() -> finished(new Outcome.Refused<>(doomed.code(), doomed.message())));
    } else if (admission instanceof Admission.Admitted admitted) {
      release = admitted.release();
      if (behaviour instanceof Behaviour.Held held) {
        // On the driver's own thread, whoever answers.
        var unused = held.answer().thenAcceptAsync(this::answered, timer);
      } else if (!(behaviour instanceof Behaviour.Hang)) {
        after(this::carryOut);
      }
    }
  }

  private void after(Runnable action) {
    if (plan.delay().isZero()) {
      action.run();
    } else {
      due = timer.schedule(locked(action), plan.delay().toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private Runnable locked(Runnable action) {
    return () -> {
      synchronized (this) {
        // The caller may have gone while this waited for the lock.
        if (!ended || plan.finishAfterCancel()) {
          action.run();
        }
      }
    };
  }

  private synchronized void answered(Behaviour answer) {
    behaviour = answer;
    if (!ended && !(behaviour instanceof Behaviour.Hang)) {
      carryOut();
    }
  }

  private void carryOut() {
    if (behaviour instanceof Behaviour.Fail fail) {
      finished(new Outcome.Refused<>(fail.code(), fail.message()));
      return;
    }
    Outcome<T> outcome = outcome();
    if (rpc.changesState() && outcome instanceof Outcome.Done) {
      log.affected(number);
    }
    finished(outcome);
  }

  private Outcome<T> outcome() {
    try {
      return work.finish().get();
    } catch (RuntimeException e) {
      LOG.error("call failed call={} rpc={}", number, rpc, e);
      return new Outcome.Refused<>(Status.Code.INTERNAL, "the driver failed: " + e.getMessage());
    }
  }

  private void finished(Outcome<T> outcome) {
    release();
    if (ended || behaviour instanceof Behaviour.LoseReply) {
      return;
    }
    if (outcome instanceof Outcome.Refused<T> refused) {
      fail(refused.code(), refused.message());
    } else if (behaviour instanceof Behaviour.FailAfterEffect fail) {
      fail(fail.code(), fail.message());
    } else if (outcome instanceof Outcome.Done<T> done) {
      succeed(done.reply());
    }
  }

  private void succeed(T reply) {
    end(Status.Code.OK, "");
    caller.onNext(told(reply));
    caller.onCompleted();
  }

  @SuppressWarnings("unchecked")
  private T told(T reply) {
    if (behaviour instanceof Behaviour.NotReady) {
      return work.whenNotReady().orElse(reply);
    }
    if (behaviour instanceof Behaviour.AnswerWith answer
        && reply instanceof ControllerPublishVolumeResponse published) {
      return (T)
          published.toBuilder()
              .clearPublishContext()
              .putAllPublishContext(answer.context())
              .build();
    }
    return reply;
  }

  private void fail(Status.Code code, String message) {
    end(code, message);
    caller.onError(code.toStatus().withDescription(message).asRuntimeException());
  }

  private synchronized void callerGone() {
    if (ended) {
      return;
    }
    boolean late =
        deadline != null && deadline.timeRemaining(TimeUnit.MILLISECONDS) < DEADLINE_SLACK_MILLIS;
    end(
        late ? Status.Code.DEADLINE_EXCEEDED : Status.Code.CANCELLED,
        late ? "the caller's deadline passed" : "the caller went away");
    if (!plan.finishAfterCancel() || behaviour instanceof Behaviour.Hang) {
      if (due != null) {
        due.cancel(false);
      }
      release();
    }
  }

  /** Written before the answer is sent: see {@link CallLog}. */
  private void end(Status.Code code, String message) {
    ended = true;
    log.ended(number, code, message);
  }

  private void release() {
    if (release != null) {
      release.run();
      release = null;
    }
    workEnded.accept(this);
  }

  /** The process dies: whatever was still to be done is not. */
  synchronized void abandon() {
    if (!ended) {
      fail(Status.Code.UNAVAILABLE, "the driver stopped");
    }
    if (due != null) {
      due.cancel(false);
    }
    release();
  }
}
