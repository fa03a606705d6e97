package dev.berth.ops.demo;

import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClaimRequested;
import dev.berth.records.Happening;
import dev.berth.records.ReplyOutcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the stories of claims together from the events that asked for them, the replies and the
 * decisions. Each of the three is to come in the order of its topic. For one thread.
 */
final class ClaimStories {

  private final Map<ClaimId, Draft> drafts = new LinkedHashMap<>();

  private static final class Draft {
    private Optional<Instant> askedAt = Optional.empty();
    private Optional<String> waited = Optional.empty();
    private Optional<ClaimReply> answer = Optional.empty();
    private int taken;
    private int released;
  }

  /** An event; all but claims are passed over. */
  void asked(AllocEvent event) {
    if (event.getBody() instanceof ClaimRequested) {
      Draft draft = draft(event.getAlloc(), event.getVolume());
      // A claim that is made again after a kill waits since the first time.
      if (draft.askedAt.isEmpty()) {
        draft.askedAt = Optional.of(event.getAt());
      }
    }
  }

  /** A reply. */
  void replied(ClaimReply reply) {
    Draft draft = draft(reply.getAlloc(), reply.getVolume());
    if (draft.answer.isPresent()) {
      return;
    }
    if (reply.getOutcome() == ReplyOutcome.WAITING) {
      draft.waited = Optional.of(reply.getMessage());
    } else {
      draft.answer = Optional.of(reply);
    }
  }

  /** A decision. */
  void decided(ClaimDecision decision) {
    for (Happening happening : decision.getHappenings()) {
      happening
          .getAlloc()
          .ifPresent(
              alloc -> {
                switch (happening.getName()) {
                  case "taken" -> draft(alloc, decision.getVolume()).taken++;
                  case "released" -> draft(alloc, decision.getVolume()).released++;
                  default -> {
                    // Steps between the two.
                  }
                }
              });
    }
  }

  /** The claims that were asked for, in the order of the asking as far as the topics keep it. */
  List<ClaimStory> stories() {
    return drafts.entrySet().stream()
        .flatMap(
            entry ->
                entry.getValue().askedAt.stream()
                    .map(askedAt -> story(entry.getKey(), askedAt, entry.getValue())))
        .toList();
  }

  private Draft draft(String alloc, String volume) {
    return drafts.computeIfAbsent(new ClaimId(alloc, volume), id -> new Draft());
  }

  private static ClaimStory story(ClaimId id, Instant askedAt, Draft draft) {
    return new ClaimStory(
        id,
        askedAt,
        draft.waited,
        draft.answer.map(ClaimStories::answer).orElse(Answer.NONE),
        draft.answer.flatMap(ClaimStories::reason).orElse(""),
        draft.answer.map(ClaimReply::getAt),
        draft.taken,
        draft.released);
  }

  private static Answer answer(ClaimReply reply) {
    return reply.getOutcome() == ReplyOutcome.GRANTED ? Answer.GRANTED : Answer.REJECTED;
  }

  private static Optional<String> reason(ClaimReply reply) {
    return reply.getCode().map(code -> (code + " " + reply.getMessage()).strip());
  }
}
