package dev.berth.streams.topology;

import dev.berth.schemas.headers.Step;
import dev.berth.schemas.headers.StepTimes;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The times of steps that records of the lanes say in their headers. A call may go out long after
 * its request was read, when another record is in hand; so what the requests said is remembered, in
 * memory only, for nothing hangs on it: after a change of owner the steps before are not known any
 * more. Owned by one task's thread.
 */
final class LaneTimes {
  /** Calls whose times are remembered (count); those of the oldest are forgotten first. */
  private static final int MOST = 10_000;

  private final Map<String, StepTimes> requests =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, StepTimes> eldest) {
          return size() > MOST;
        }
      };

  /** The request that the event in hand reports of; empty when it is no outcome. */
  private String reported = "";

  private StepTimes report = StepTimes.NONE;

  /**
   * An event is to be decided.
   *
   * @param said what its record says
   */
  void begin(LanesEvent event, StepTimes said, Instant now) {
    reported = "";
    report = StepTimes.NONE;
    if (event instanceof LanesEvent.Requested requested
        && requested.request().body() instanceof LaneRequest.Enqueue) {
      requests.put(requested.request().requestId(), said.with(Step.QUEUED, now));
    } else if (event instanceof LanesEvent.OutcomeArrived outcome) {
      reported = outcome.requestId();
      report = said.between(Step.DISPATCHED, Step.REPORTED);
    }
  }

  /** What a work record says: of a run the times of its first call, and the traces of all. */
  StepTimes dispatched(Work work) {
    List<Trace> traces =
        work.calls().stream().map(call -> of(call.requestId()).traces().first()).toList();
    return of(work.calls().get(0).requestId())
        .within(new Traces(traces))
        .with(Step.DISPATCHED, work.dispatchedAt());
  }

  /** What a settlement says. One that is not of the call in hand has no steps of a worker. */
  StepTimes settled(Settlement settlement) {
    StepTimes times = of(settlement.requestId());
    boolean over =
        settlement.body() instanceof Settlement.Done
            || settlement.body() instanceof Settlement.Failed
            || settlement.body() instanceof Settlement.Withdrawn;
    if (over) {
      requests.remove(settlement.requestId());
    }
    StepTimes made = settlement.requestId().equals(reported) ? times.with(report) : times;
    return made.with(Step.SETTLED, settlement.at());
  }

  private StepTimes of(String requestId) {
    return requests.getOrDefault(requestId, StepTimes.NONE);
  }
}
