package dev.berth.driver.audit;

import dev.berth.driver.calls.Call;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A point in the life of a call, to go through the lives of many in one order. */
record Moment(long sequence, Kind kind, Call call) {

  enum Kind {
    START,
    EFFECT,
    END
  }

  /** All moments of the calls, in the order of the log. */
  static List<Moment> of(List<Call> calls) {
    return calls.stream()
        .flatMap(Moment::of)
        .sorted(Comparator.comparingLong(Moment::sequence))
        .toList();
  }

  private static Stream<Moment> of(Call call) {
    return Stream.of(
            Stream.of(new Moment(call.number(), Kind.START, call)),
            call.effect().stream().map(e -> new Moment(e.sequence(), Kind.EFFECT, call)),
            call.end().stream().map(e -> new Moment(e.sequence(), Kind.END, call)))
        .flatMap(moment -> moment);
  }
}
