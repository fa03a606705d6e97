package dev.berth.workers.listing;

import static dev.berth.workers.WorkFixtures.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.ListedVolume;
import dev.berth.workers.ManualClocks;
import dev.berth.workers.listing.PageSource.Answer;
import dev.berth.workers.listing.PageSource.Failed;
import dev.berth.workers.listing.PageSource.Page;
import dev.berth.workers.listing.PageSource.TokenLost;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotTest {

  private static final Duration PAGE = Duration.ofSeconds(1);
  private static final ListedVolume ONE = new ListedVolume("vol-1", List.of("i-1"));
  private static final ListedVolume TWO = new ListedVolume("vol-2", List.of());

  private final ManualClocks clocks = new ManualClocks();
  private final List<String> asked = new ArrayList<>();

  @Test
  void pagesAreFollowedToTheLast() {
    assertThat(take(new Page(List.of(ONE), "t1"), new Page(List.of(TWO), "")))
        .isEqualTo(new Snapshot.Whole(NOON, List.of(ONE, TWO)));
    assertThat(asked).containsExactly("", "t1");
  }

  @Test
  void aListingWhoseTokenIsLostBeginsAgain() {
    assertThat(
            take(
                new Page(List.of(ONE), "t1"),
                new TokenLost("restarted"),
                new Page(List.of(TWO), "")))
        .isEqualTo(new Snapshot.Whole(NOON.plus(PAGE.multipliedBy(2)), List.of(TWO)));
    assertThat(asked).containsExactly("", "t1", "");
  }

  @Test
  void aListingBeginsAgainThreeTimesAtMost() {
    TokenLost lost = new TokenLost("restarted");

    assertThat(take(lost, lost, lost, lost, new Page(List.of(), "")))
        .isEqualTo(
            new Snapshot.None(
                NOON.plus(PAGE.multipliedBy(3)),
                "the plugin lost its place 4 times; the last time it said: restarted"));
    assertThat(asked).hasSize(4);
  }

  @Test
  void aListingThatFailsIsNone() {
    assertThat(take(new Page(List.of(ONE), "t1"), new Failed("no cloud")))
        .isEqualTo(new Snapshot.None(NOON, "no cloud"));
  }

  @Test
  void pagesThatGoRoundInACircleAreNoListing() {
    assertThat(take(new Page(List.of(ONE), "t1"), new Page(List.of(TWO), "t1")))
        .isEqualTo(
            new Snapshot.None(NOON, "its pages go round in a circle: a next_token came twice"));
  }

  private Snapshot take(Answer... answers) {
    Deque<Answer> left = new ArrayDeque<>(List.of(answers));
    return Snapshot.take(
        token -> {
          asked.add(token);
          clocks.advance(PAGE);
          return left.remove();
        },
        clocks);
  }
}
