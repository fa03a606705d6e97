package dev.berth.producers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.records.AccessMode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexesTest {

  private static final VolumeUse VOLUME = VolumeUse.of("default", "v1");
  private static final long MICROS_OF_2026 = 1_767_225_600_000_000L;

  private final FakeClock clock = new FakeClock("2026-01-01T00:00:00Z");

  @Test
  void byClockRiseWithEveryStatement() {
    Indexes indexes = new Indexes(IndexSource.CLOCK, clock);

    long first = indexes.ofClaim(claim().build());
    long second = indexes.ofStatement(Alloc.of("a1", VOLUME));
    clock.advance(Duration.ofSeconds(1));
    long third = indexes.ofStatement(Alloc.of("a1", VOLUME));

    assertThat(new long[] {first, second, third})
        .containsExactly(MICROS_OF_2026, MICROS_OF_2026 + 1, MICROS_OF_2026 + 1_000_000);
  }

  @Test
  void byClockRiseThoughTheClockIsSetBack() {
    Indexes indexes = new Indexes(IndexSource.CLOCK, clock);

    long first = indexes.ofStatement(Alloc.of("a1", VOLUME));
    clock.advance(Duration.ofHours(-1));

    assertThat(indexes.ofStatement(Alloc.of("a1", VOLUME))).isEqualTo(first + 1);
  }

  @Test
  void byClockRiseAcrossARestart() {
    long before = new Indexes(IndexSource.CLOCK, clock).ofStatement(Alloc.of("a1", VOLUME));
    clock.advance(Duration.ofMillis(1));

    assertThat(new Indexes(IndexSource.CLOCK, clock).ofStatement(Alloc.of("a1", VOLUME)))
        .isGreaterThan(before);
  }

  @Test
  void byClockTakesNoNumbersOfTheCaller() {
    Indexes indexes = new Indexes(IndexSource.CLOCK, clock);

    assertThatThrownBy(() -> indexes.ofStatement(Alloc.of("a1", VOLUME).at(7)))
        .isInstanceOf(InvalidEventException.class)
        .hasMessageStartingWith("index 7: this scheduler's statements are numbered by clock");
  }

  @Test
  void ofClaimsMadeTogetherAreAllFreeAgainWhenOneCannotBeUsed() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);
    ClaimRequest usable = claim().at(7).build();

    assertThatThrownBy(() -> indexes.ofClaims(List.of(usable, claim().at(6).build())))
        .isInstanceOf(InvalidEventException.class);

    assertThat(indexes.ofClaims(List.of(usable, claim().at(8).build()))).containsExactly(7L, 8L);
  }

  @Test
  void byCallerAreTheCallers() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);

    assertThat(indexes.ofClaim(claim().at(7).build())).isEqualTo(7);
    assertThat(indexes.ofStatement(Alloc.of("a1", VOLUME).at(8))).isEqualTo(8);
  }

  @Test
  void byCallerMustBeGiven() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);

    assertThatThrownBy(() -> indexes.ofClaim(claim().build()))
        .hasMessageStartingWith("index is missing: this scheduler numbers its statements itself");
  }

  @Test
  void byCallerRefusesAClaimThatNobodyWouldAnswer() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);
    indexes.ofStatement(Alloc.of("a1", VOLUME).at(7));

    assertThatThrownBy(() -> indexes.ofClaim(claim().at(7).build()))
        .hasMessage("index 7 of alloc 'a1': it must be higher than the last one, 7");
  }

  @Test
  void byCallerLetsAStatementBeRepeatedButNotGoBack() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);
    Alloc alloc = Alloc.of("a1", VOLUME, VolumeUse.of("default", "v2"));
    indexes.ofStatement(alloc.at(7));

    assertThat(indexes.ofStatement(alloc.at(7))).isEqualTo(7);
    assertThatThrownBy(() -> indexes.ofStatement(alloc.at(6)))
        .hasMessage("index 6 of alloc 'a1': it must be at least the last one, 7");
  }

  @Test
  void byCallerAreSeparateForEachAlloc() {
    Indexes indexes = new Indexes(IndexSource.CALLER, clock);
    indexes.ofStatement(Alloc.of("a2", VOLUME).at(9));

    assertThat(indexes.ofClaim(claim().at(1).build())).isEqualTo(1);
  }

  private static ClaimRequest.Builder claim() {
    return ClaimRequest.write("a1", "n1", "default", "v1", AccessMode.SINGLE_NODE_WRITER);
  }
}
