package dev.berth.ops.scenario;

import dev.berth.records.Acceptance;
import dev.berth.records.CallAccepted;
import dev.berth.records.CallDone;
import dev.berth.records.CallFailed;
import dev.berth.records.CallFate;
import dev.berth.records.CallHeld;
import dev.berth.records.EnqueueCall;
import dev.berth.records.Hold;
import dev.berth.records.LaneRequest;
import dev.berth.records.Outcome;
import dev.berth.records.Settlement;
import dev.berth.records.Work;
import java.time.Duration;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;

/** What the records on the way of a call say: asked for, sent, accepted, ended, settled. */
final class CallText {
  private CallText() {}

  static String of(LaneRequest request) {
    String asked =
        request.getBody() instanceof EnqueueCall enqueue
            ? Rpc.text(enqueue.getCall()) + (enqueue.getTakesSlot() ? ", takes a slot" : "")
            : Brief.of((IndexedRecord) request.getBody());
    return request.getRequestId() + " " + asked;
  }

  static String of(Work work) {
    String calls =
        work.getCalls().stream()
            .map(call -> Rpc.text(call.getCall()))
            .collect(Collectors.joining(", "));
    return "%s at %s: %s".formatted(work.getAttemptId(), work.getInstanceNode(), calls);
  }

  static String of(Acceptance acceptance) {
    Duration allowed = Duration.ofMillis(acceptance.getTimeAllowedMillis());
    return "%s accepted, %s allowed"
        .formatted(acceptance.getAttemptId(), Durations.since(allowed).substring(1));
  }

  static String of(Outcome outcome) {
    return "%s %s: %s%s"
        .formatted(
            outcome.getRequestId(),
            Words.of(outcome.getFate()),
            outcome.getFate() == CallFate.NOT_SENT
                ? Words.of(outcome.getNotSent())
                : outcome.getCode().toString(),
            because(outcome.getMessage()));
  }

  static String of(Settlement settlement) {
    return settlement.getRequestId() + " " + settled(settlement.getBody());
  }

  private static String settled(Object body) {
    if (body instanceof CallAccepted) {
      return "is in its lane";
    } else if (body instanceof CallDone done) {
      return "done: " + done.getCode();
    } else if (body instanceof CallFailed failed) {
      return "failed for good: " + failed.getCode() + because(failed.getMessage());
    } else if (body instanceof CallHeld held) {
      return of(held.getHold());
    }
    return Brief.of((IndexedRecord) body);
  }

  static String of(Hold hold) {
    return "held: %s%s after %d %s%s"
        .formatted(
            Words.of(hold.getCode()),
            hold.getRpcCode().map(code -> " (" + code + ")").orElse(""),
            hold.getAttempts(),
            hold.getAttempts() == 1 ? "attempt" : "attempts",
            because(hold.getMessage()));
  }

  /** Somebody's words, when there are any. */
  static String because(String message) {
    return message.isEmpty() ? "" : " \"" + message + "\"";
  }
}
