package dev.berth.bench.table;

import dev.berth.records.Acceptance;
import dev.berth.records.CallFate;
import dev.berth.records.Outcome;
import dev.berth.records.RpcCode;
import dev.berth.records.Work;
import dev.berth.records.WorkCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What a worker says whose plugins carry out every call at once. */
final class Answers {
  private static final String WORKER = "bench-worker";

  private Answers() {}

  /** Its id begins with the key of the volume, for those who know nothing but it. */
  static Acceptance acceptance(Work work, Instant at) {
    return new Acceptance(
        work.getAttemptId(),
        work.getCalls().get(0).getRequestId() + "/accepted",
        work.getPlugin(),
        WORKER,
        work.getTimeoutMillis() * work.getCalls().size(),
        at);
  }

  static List<Outcome> outcomes(Work work, Acceptance acceptance, Instant at) {
    List<Outcome> outcomes = new ArrayList<>(work.getCalls().size());
    for (int i = 0; i < work.getCalls().size(); i++) {
      WorkCall call = work.getCalls().get(i);
      outcomes.add(
          Outcome.newBuilder()
              .setAttemptId(work.getAttemptId())
              .setAcceptanceId(acceptance.getAcceptanceId())
              .setRequestId(call.getRequestId())
              .setCallIndex(i)
              .setPlugin(work.getPlugin())
              .setWorker(WORKER)
              .setFate(CallFate.ANSWERED)
              .setCode(RpcCode.OK)
              .setStartedAt(at)
              .setEndedAt(at)
              .build());
    }
    return outcomes;
  }
}
