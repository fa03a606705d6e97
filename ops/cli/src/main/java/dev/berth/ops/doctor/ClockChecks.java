package dev.berth.ops.doctor;

import java.time.Duration;
import java.time.Instant;

/** What is said of clocks. */
final class ClockChecks {
  private static final Duration CLOSE = Duration.ofSeconds(2);
  private static final Duration FAR = Duration.ofMinutes(1);

  private ClockChecks() {}

  /**
   * Of another machine's clock. Berth counts time as durations, so that a wrong clock loses
   * nothing; but times in tables and histories, and ages told from them, are by these clocks.
   *
   * @param whose of which machine
   * @param asked when it was asked, by this machine
   * @param told the time that it told
   * @param answered when it had answered, by this machine
   */
  static Check of(String whose, Instant asked, Instant told, Instant answered) {
    // It told the time somewhere between; nobody can know where.
    Duration apart =
        told.isBefore(asked)
            ? Duration.between(told, asked)
            : told.isAfter(answered) ? Duration.between(answered, told) : Duration.ZERO;
    String found =
        apart.isZero()
            ? "that of %s and this machine's agree".formatted(whose)
            : "that of %s is %s.%d s %s this machine's"
                .formatted(
                    whose,
                    apart.toSeconds(),
                    apart.toMillis() % 1_000 / 100,
                    told.isBefore(asked) ? "behind" : "ahead of");
    if (apart.compareTo(CLOSE) <= 0) {
      return Check.ok("clock", found);
    }
    String remedy = "let all machines follow one time server; times and ages shown are off by that";
    return apart.compareTo(FAR) > 0
        ? Check.wrong("clock", found, remedy)
        : Check.warning("clock", found, remedy);
  }
}
