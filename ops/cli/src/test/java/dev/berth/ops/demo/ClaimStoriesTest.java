package dev.berth.ops.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.berth.ops.demo.ClaimStory.Answer;
import dev.berth.ops.demo.ClaimStory.ClaimId;
import dev.berth.records.AllocGone;
import dev.berth.records.ClaimDecision;
import dev.berth.records.ClaimReply;
import dev.berth.records.Happening;
import dev.berth.records.RejectCode;
import dev.berth.records.ReplyOutcome;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClaimStoriesTest {

  private static final ClaimId CLAIM = new ClaimId("pod-1", "ebs-001");

  private final ClaimStories stories = new ClaimStories();

  @Test
  @DisplayName("a claim is asked for, told to wait, granted, taken and released")
  void granted() {
    stories.asked(DemoRecords.claim(CLAIM, 1));
    stories.replied(waiting("held by x"));
    stories.replied(reply(ReplyOutcome.GRANTED, null, "", 9));
    stories.decided(decision("taken"));
    stories.decided(decision("unpublishing", "released"));
    assertThat(stories.stories())
        .isEqualTo(
            List.of(
                new ClaimStory(
                    CLAIM,
                    at(1),
                    Optional.of("held by x"),
                    Answer.GRANTED,
                    "",
                    Optional.of(at(9)),
                    1,
                    1)));
  }

  @Test
  @DisplayName("a claim that is made again after a kill waits since the first time")
  void again() {
    stories.asked(DemoRecords.claim(CLAIM, 1));
    stories.asked(DemoRecords.claim(CLAIM, 20));
    stories.replied(reply(ReplyOutcome.GRANTED, null, "", 30));
    stories.replied(reply(ReplyOutcome.GRANTED, null, "", 31));
    assertThat(stories.stories())
        .isEqualTo(
            List.of(
                new ClaimStory(
                    CLAIM,
                    at(1),
                    Optional.empty(),
                    Answer.GRANTED,
                    "",
                    Optional.of(at(30)),
                    0,
                    0)));
  }

  @Test
  @DisplayName("a rejection has its code and words")
  void rejected() {
    stories.asked(DemoRecords.claim(CLAIM, 1));
    stories.replied(reply(ReplyOutcome.REJECTED, RejectCode.SLOTS, "no slot left", 2));
    assertThat(stories.stories())
        .extracting(ClaimStory::answer, ClaimStory::reason)
        .containsExactly(tuple(Answer.REJECTED, "SLOTS no slot left"));
  }

  @Test
  @DisplayName("other events of allocs, and answers to nobody's claim, make no story")
  void others() {
    stories.asked(DemoRecords.event(CLAIM, 1, new AllocGone()));
    stories.replied(reply(ReplyOutcome.GRANTED, null, "", 2));
    assertThat(stories.stories()).isEmpty();
  }

  @Test
  @DisplayName("who is given what another writer still holds is noted")
  void overlap() {
    Holders holders = new Holders(Set.of(CLAIM, new ClaimId("pod-2", "ebs-001")));
    holders.decided(decision("taken"));
    holders.decided(DemoRecords.decision("ebs-001", DemoRecords.happening("taken", "pod-2")));
    holders.decided(decision("released"));
    holders.decided(DemoRecords.decision("ebs-001", DemoRecords.happening("taken", "reader")));
    assertThat(holders.overlaps())
        .containsExactly(
            "volume ebs-001 takes one writer and was given to pod-2 while pod-1 held it");
  }

  @Test
  @DisplayName("who is given what was released is right")
  void inTurn() {
    Holders holders = new Holders(Set.of(CLAIM, new ClaimId("pod-2", "ebs-001")));
    holders.decided(decision("taken"));
    holders.decided(decision("released"));
    holders.decided(DemoRecords.decision("ebs-001", DemoRecords.happening("taken", "pod-2")));
    assertThat(holders.overlaps()).isEmpty();
  }

  private static ClaimReply waiting(String why) {
    return reply(ReplyOutcome.WAITING, null, why, 5);
  }

  private static ClaimReply reply(
      ReplyOutcome outcome, @Nullable RejectCode code, String message, long second) {
    return DemoRecords.reply(CLAIM, outcome, Optional.ofNullable(code), message, second);
  }

  private static ClaimDecision decision(String... names) {
    return DemoRecords.decision(
        "ebs-001",
        Arrays.stream(names)
            .map(name -> DemoRecords.happening(name, "pod-1"))
            .toArray(Happening[]::new));
  }

  private static Instant at(long second) {
    return DemoRecords.at(second);
  }
}
