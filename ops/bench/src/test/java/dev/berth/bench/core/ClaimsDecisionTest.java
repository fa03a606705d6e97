package dev.berth.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.claims.ClaimsEffect;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is measured is what is meant to be measured: no decision that refuses or does nothing. */
class ClaimsDecisionTest {

  @ParameterizedTest
  @EnumSource
  @DisplayName("every event changes rows, with one claim on the volume and with several")
  void decides(ClaimsDecision.Event event) {
    for (int claims : new int[] {1, 3}) {
      assertThat(prepared(event, claims).decide().changes()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"CLAIM, Requested", "ATTACHED, Replied", "ENDED, ''", "UNMOUNTED, Requested"})
  @DisplayName("a claim and an unmount ask for a call, a done attach is answered")
  void effects(ClaimsDecision.Event event, String kinds) {
    List<String> expected =
        Stream.of(kinds.split(", ", -1)).filter(kind -> !kind.isEmpty()).toList();
    assertThat(
            prepared(event, 2).decide().effects().stream()
                .filter(effect -> !(effect instanceof ClaimsEffect.Happened))
                .map(effect -> effect.getClass().getSimpleName())
                .sorted())
        .isEqualTo(expected);
  }

  private static ClaimsDecision prepared(ClaimsDecision.Event event, int claims) {
    ClaimsDecision decision = new ClaimsDecision();
    decision.event = event;
    decision.claims = claims;
    decision.others = 2;
    decision.prepare();
    return decision;
  }
}
