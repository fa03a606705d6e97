package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.Claim;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeadClaimsTest {

  private static final long INDEX = 100;

  private static final Claim A1 = Claims.live("east", "v1", "a1", 1, 10);
  private static final Claim A2 = Claims.live("east", "v2", "a2", 2, 11);
  private static final Claim OF_WEST = Claims.live("west", "v3", "a1", 3, 12);

  @Test
  void aClaimWhoseAllocIsNotInTheListIsGone() {
    assertThat(among(Set.of("a2"), A2, A1))
        .isEqualTo(new DeadClaims(2, List.of(SeenClaim.of(A1)), 0, 0));
  }

  @Test
  void everyVolumeOfAnAllocIsSpokenOfInTheOrderOfTheKeys() {
    Claim other = Claims.live("east", "v9", "a1", 7, 10);

    assertThat(among(Set.of("a2"), other, A2, A1).gone())
        .containsExactly(SeenClaim.of(A1), SeenClaim.of(other));
  }

  @Test
  void anotherSchedulersClaimIsNeverSpokenOfEvenUnderTheSameAllocId() {
    assertThat(among(Set.of("a2"), A1, A2, OF_WEST).gone()).containsExactly(SeenClaim.of(A1));
    assertThat(among(Set.of("a1", "a2"), A1, A2, OF_WEST))
        .isEqualTo(new DeadClaims(2, List.of(), 0, 0));
  }

  @Test
  void aClaimOnItsWayOutNeedsNoWord() {
    assertThat(among(Set.of("a2"), Claims.unpublishing(A1), A2))
        .isEqualTo(new DeadClaims(2, List.of(), 1, 0));
  }

  @Test
  void aClaimMadeAgainBehindTheOneOnItsWayOutIsGoneWithItsAlloc() {
    Claim again = Claims.askedAgain(Claims.unpublishing(A1));

    assertThat(among(Set.of("a2"), again, A2).gone()).containsExactly(SeenClaim.of(again));
  }

  @Test
  void aClaimWithAHigherNumberThanTheRunIsLeftAlone() {
    Claim newer = Claims.live("east", "v1", "a1", 1, INDEX);

    assertThat(among(Set.of("a2"), newer, A2)).isEqualTo(new DeadClaims(2, List.of(), 0, 1));
  }

  @Test
  void anEmptyListIsNotBelievedWhileThereAreLiveClaims() {
    assertThatThrownBy(() -> among(Set.of(), A1, A2, OF_WEST))
        .isInstanceOf(ReconcileException.class)
        .hasMessage(
            "the list of live allocs is empty, but scheduler 'east' has 2 live claims"
                + " (default/v1/a1 is one): a list that failed would end them all. If it has no"
                + " alloc any more, set emptyListAllowed (ReconcilerConfig.withEmptyListAllowed)");
  }

  @Test
  void anEmptyListIsBelievedWithPermissionOrWithoutLiveClaims() {
    assertThat(
            DeadClaims.among(
                    List.of(SeenClaim.of(A1)), "east", LiveAllocs.of(Set.of()), INDEX, true)
                .gone())
        .containsExactly(SeenClaim.of(A1));
    assertThat(among(Set.of(), Claims.unpublishing(A1), OF_WEST))
        .isEqualTo(new DeadClaims(1, List.of(), 1, 0));
    assertThat(among(Set.of())).isEqualTo(new DeadClaims(0, List.of(), 0, 0));
  }

  @Test
  void aClaimThatWasMadeWhenAListOfThePastWasTakenOrLaterIsLeftAlone() {
    LiveAllocs then = LiveAllocs.of(Set.of("a2")).takenAt(A1.getClaimedAt());

    assertThat(among(then, A1, Claims.unpublishing(A1), A2))
        .isEqualTo(new DeadClaims(3, List.of(), 0, 0));
    assertThat(among(then.takenAt(A1.getClaimedAt().plusMillis(1)), A1, A2).gone())
        .containsExactly(SeenClaim.of(A1));
  }

  @Test
  void aListThatIsCompleteForSomeAllocsTellsNothingOfOthers() {
    LiveAllocs ofOthers = LiveAllocs.of(Set.of()).among(Set.of("a2", "a3"));

    assertThat(
            DeadClaims.among(
                    List.of(SeenClaim.of(A1), SeenClaim.of(A2)), "east", ofOthers, INDEX, true)
                .gone())
        .containsExactly(SeenClaim.of(A2));
  }

  private static DeadClaims among(LiveAllocs live, Claim... rows) {
    return DeadClaims.among(
        Stream.of(rows).map(SeenClaim::of).toList(), "east", live, INDEX, false);
  }

  private static DeadClaims among(Set<String> live, Claim... rows) {
    return DeadClaims.among(
        Stream.of(rows).map(SeenClaim::of).toList(), "east", LiveAllocs.of(live), INDEX, false);
  }
}
