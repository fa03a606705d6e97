package dev.berth.bench.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.streams.lanes.LanesEffect;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LanesDecisionTest {

  @ParameterizedTest
  @CsvSource({"REQUESTED, Settle", "ACCEPTED, ''", "DONE, 'Dispatch, Settle'"})
  @DisplayName("a call is taken, accepted and settled, and then the next one goes out")
  void effects(LanesDecision.Event event, String kinds) {
    LanesDecision decision = new LanesDecision();
    decision.event = event;
    decision.calls = 3;
    decision.others = 1000;
    decision.prepare();

    List<String> expected =
        Stream.of(kinds.split(", ", -1)).filter(kind -> !kind.isEmpty()).toList();
    assertThat(
            decision.decide().effects().stream()
                .filter(
                    effect ->
                        !(effect instanceof LanesEffect.StatusChanged)
                            && !(effect instanceof LanesEffect.SlotsChanged))
                .map(effect -> effect.getClass().getSimpleName())
                .sorted())
        .isEqualTo(expected);
  }
}
