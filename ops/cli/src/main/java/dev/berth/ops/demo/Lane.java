package dev.berth.ops.demo;

import dev.berth.driver.calls.Call;
import dev.berth.ops.lives.Life;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A lane's work.
 *
 * @param calls attaches and detaches (count)
 * @param busy time with a call open
 * @param span from its first call to the end of its last one
 */
public record Lane(int calls, Duration busy, Duration span) {

  /** Share of the span with a call open (percent). */
  public int busyPercent() {
    return span.isZero() ? 0 : (int) (100 * busy.toMillis() / Math.max(1, span.toMillis()));
  }

  /** Mean time of a call. */
  public Duration mean() {
    return calls == 0 ? Duration.ZERO : busy.dividedBy(calls);
  }

  /**
   * The lane with these calls.
   *
   * @param calls at least one, in order
   * @param lives the lives of the process, where it was killed: a call ends with it
   */
  static Lane of(List<Call> calls, List<LifeStory> lives) {
    Duration busy = Duration.ZERO;
    Instant first = calls.get(0).startedAt();
    Instant last = first;
    for (Call call : calls) {
      Instant end = end(call, lives);
      busy = busy.plus(Duration.between(call.startedAt(), end));
      last = end.isAfter(last) ? end : last;
    }
    return new Lane(calls.size(), busy, Duration.between(first, last));
  }

  private static Instant end(Call call, List<LifeStory> lives) {
    Instant logged = call.end().map(Call.End::at).orElse(call.startedAt());
    if (!call.isCut()) {
      return logged;
    }
    // The log learns of a death only from the next process.
    return lives.stream()
        .map(LifeStory::life)
        .map(Life::killed)
        .flatMap(Optional::stream)
        .map(Life.Kill::at)
        .filter(kill -> !kill.isBefore(call.startedAt()))
        .min(Instant::compareTo)
        .orElse(logged);
  }
}
