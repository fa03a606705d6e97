package dev.berth.ops.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Only what was there when the system had come to rest is expected, and all of it is. */
class ScriptTest {
  private static final Instant ZERO = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration QUIET = Duration.ofMillis(500);
  private static final String ATTACH = "CP vol-a i-1 rw";
  private static final String DETACH = "CU vol-a i-1";

  private final Script script =
      new Script(
          new Observed(
              new Wanted("R", Set.of("default/vA"), null, null, QUIET, List.of()), Set.of(), false),
          QUIET,
          ZERO);

  @Test
  void expectsNothingBetweenInputsThatComeBeforeTheSystemIsAtRest() {
    script.add(input(1000, "first"));
    script.add(started(1100, ATTACH));
    script.add(input(1300, "second"));
    script.end(at(10_000));

    assertThat(script.steps())
        .containsExactly(
            advance(1000),
            named("first"),
            advance(1300),
            named("second"),
            expect(ATTACH),
            advance(10_000),
            expectAtEnd());
  }

  @Test
  void expectsWhatFollowedFromAnInputBeforeTheClockMovesOn() {
    script.add(input(1000, "first"));
    script.add(started(1100, ATTACH));
    script.add(input(1600, "second"));
    script.end(at(1600));

    assertThat(script.steps())
        .containsExactly(
            advance(1000),
            named("first"),
            expect(ATTACH),
            advance(1600),
            named("second"),
            expectAtEnd());
  }

  @Test
  void expectsWhatFollowedFromTimeAloneAfterTheClockHasMoved() {
    script.add(input(1000, "first"));
    script.add(started(1100, ATTACH));
    script.add(started(5000, DETACH));
    script.add(input(7000, "second"));
    script.end(at(7000));

    assertThat(script.steps())
        .containsExactly(
            advance(1000),
            named("first"),
            expect(ATTACH),
            advance(7000),
            expect(DETACH),
            named("second"),
            expectAtEnd());
  }

  @Test
  void expectsLaterWhatAnInputCutShort() {
    script.add(input(1000, "first"));
    script.add(started(5000, ATTACH));
    script.add(input(5200, "second"));
    script.add(started(5300, DETACH));
    script.end(at(9000));

    assertThat(script.steps())
        .containsExactly(
            advance(1000),
            named("first"),
            advance(5200),
            named("second"),
            expect(ATTACH, DETACH),
            advance(9000),
            expectAtEnd());
  }

  private static Instant at(long millis) {
    return ZERO.plusMillis(millis);
  }

  private static Item input(long millis, String step) {
    return new Item.Input(at(millis), List.of(named(step)));
  }

  private static Item started(long millis, String rpc) {
    return new Item.Started(at(millis), rpc, rpc);
  }

  private static Step named(String kind) {
    return Step.of(kind);
  }

  private static Step advance(long millis) {
    return Step.of("advance").with("to", Duration.ofMillis(millis));
  }

  private static Step expect(String... rpcs) {
    return Step.of("expect").with("rpcs", List.of(rpcs));
  }

  private static Step expectAtEnd() {
    return expect()
        .with("table", Map.of("vA", Map.of()))
        .with("attachments", Map.of("vA", Map.of()));
  }
}
