package dev.berth.ops.view;

import com.google.protobuf.Timestamp;
import dev.berth.proto.api.CallPlace;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.Hold;
import dev.berth.proto.api.LaneCall;

/** One claim for people: where it is, which step is next, and what is in the way. */
final class ClaimLines {
  private final Lines lines;
  private final Moments moments;

  ClaimLines(Lines lines, Moments moments) {
    this.lines = lines;
    this.moments = moments;
  }

  void add(Claim claim) {
    lines.say(
        1,
        claim.getAlloc(),
        "%s on node %s, %s %s"
            .formatted(
                MessageJson.word(claim.getMode().getValueDescriptor()),
                claim.getNode(),
                Phrases.state(claim),
                moments.age(claim.getStateSince())));
    lines.say(2, "claimed", moments.since(claim.getClaimedAt()));
    lines.say(2, "workload", workload(claim));
    lines.say(2, "ended", ended(claim));
    lines.say(2, "next step", nextStep(claim));
    if (claim.hasHold()) {
      hold(claim.getHold());
    }
  }

  /** The trouble of a step. */
  void hold(Hold hold) {
    lines.say(
        2,
        "held up by",
        hold.getCode()
            + (hold.getStuck() ? " (stuck)" : "")
            + (hold.getAttempts() == 0
                ? ""
                : ", tries: %d in %s, the last %s"
                    .formatted(
                        hold.getAttempts(),
                        moments.age(hold.getSince()),
                        moments.ago(hold.getLastFailureAt()))));
    lines.say(2, hold.getRpcCode().isEmpty() ? "because" : "plugin said", said(hold));
    lines.say(
        2,
        "tried again",
        hold.hasNextAttemptAt() ? next(hold.getNextAttemptAt()) : "when what it waits for happens");
    lines.say(2, "remedy", hold.getRemedy());
  }

  private String next(Timestamp at) {
    String in = moments.in(at);
    return in.equals("now") ? "now, as soon as its lane is free" : in;
  }

  private static String said(Hold hold) {
    if (hold.getRpcCode().isEmpty()) {
      return hold.getDetail();
    }
    return hold.getDetail().isEmpty()
        ? hold.getRpcCode()
        : hold.getRpcCode() + ": " + hold.getDetail();
  }

  private static String workload(Claim claim) {
    StringBuilder text = new StringBuilder();
    if (!claim.getJob().isEmpty()) {
      text.append("job ")
          .append(claim.getJob())
          .append(" (")
          .append(claim.getJobType())
          .append(')');
    }
    if (!claim.getScheduler().isEmpty()) {
      text.append(text.isEmpty() ? "" : " ").append("of scheduler ").append(claim.getScheduler());
    }
    if (!claim.getClientStatus().isEmpty()) {
      text.append(", client says ").append(claim.getClientStatus());
    }
    return text.toString();
  }

  private String ended(Claim claim) {
    return claim.getEndCause().isEmpty()
        ? ""
        : claim.getEndCause()
            + (claim.hasEndedAt() ? ", " + moments.since(claim.getEndedAt()) : "");
  }

  private String nextStep(Claim claim) {
    if (claim.getNextStep().isEmpty()) {
      return claim.getState() == ClaimState.CLAIM_STATE_TAKEN ? "none: it has the volume" : "";
    }
    if (claim.getHeldByCount() > 0) {
      return "%s for capacity, held by %s"
          .formatted(claim.getNextStep(), String.join(", ", claim.getHeldByList()));
    }
    return claim.getNextStep() + (claim.hasCall() ? ": " + place(claim.getCall()) : "");
  }

  private String place(LaneCall call) {
    if (call.getPlace() == CallPlace.CALL_PLACE_QUEUED) {
      return "in lane %s, %s before it%s"
          .formatted(
              call.getLane(),
              Phrases.count(call.getCallsAhead(), "call"),
              call.hasEstimatedWait()
                  ? ", done in about " + Moments.length(Moments.duration(call.getEstimatedWait()))
                  : "");
    }
    if (call.getPlace() == CallPlace.CALL_PLACE_OPEN) {
      return call.getWorker().isEmpty()
          ? "waits for a worker since " + moments.ago(call.getDispatchedAt())
          : "%s is out at worker %s since %s"
              .formatted(call.getRpc(), call.getWorker(), moments.ago(call.getAcceptedAt()));
    }
    return call.getPlace() == CallPlace.CALL_PLACE_HELD
        ? "held, asked for " + moments.ago(call.getAskedAt())
        : "";
  }
}
