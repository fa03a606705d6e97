package dev.berth.workers.accept;

import dev.berth.records.Acceptance;
import dev.berth.records.Call;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.workers.time.Moment;
import dev.berth.workers.time.TimeAllowed;
import java.time.Duration;
import java.util.List;

/**
 * An attempt with the acceptance under which its calls are made. It may be acted on only after the
 * transaction that holds the acceptance is known to be committed.
 *
 * @param work the attempt
 * @param acceptance the acceptance
 * @param time time allowed for its calls
 * @param times times of the steps up to the acceptance, for headers
 */
public record Accepted(Work work, Acceptance acceptance, TimeAllowed time, StepTimes times) {

  /** Returns the trace that one of its calls belongs to. */
  public Trace trace(Call call) {
    List<WorkCall> calls = work.getCalls();
    for (int index = 0; index < calls.size(); index++) {
      if (calls.get(index).getCall().equals(call)) {
        return times.traces().at(index);
      }
    }
    return Trace.NONE;
  }

  /**
   * Writes out the acceptance of an attempt whose record says nothing of the steps before it.
   *
   * @param work the attempt
   * @param worker worker that accepts
   * @param acceptanceId id of the acceptance, never used before
   * @param began a moment before the accept transaction begins
   */
  public static Accepted of(Work work, String worker, String acceptanceId, Moment began) {
    return of(work, worker, acceptanceId, began, StepTimes.NONE);
  }

  /**
   * Writes out the acceptance of an attempt.
   *
   * @param work the attempt
   * @param worker worker that accepts
   * @param acceptanceId id of the acceptance, never used before
   * @param began a moment before the accept transaction begins
   * @param before times of the steps before it
   */
  public static Accepted of(
      Work work, String worker, String acceptanceId, Moment began, StepTimes before) {
    Acceptance acceptance =
        Acceptance.newBuilder()
            .setAttemptId(work.getAttemptId())
            .setAcceptanceId(acceptanceId)
            .setPlugin(work.getPlugin())
            .setWorker(worker)
            .setTimeAllowedMillis(work.getTimeoutMillis())
            .setAt(began.wall())
            .build();
    TimeAllowed time = new TimeAllowed(began, Duration.ofMillis(work.getTimeoutMillis()));
    return new Accepted(work, acceptance, time, before.with(Step.ACCEPTED, began.wall()));
  }
}
