package dev.berth.ops.terminal;

import java.time.Duration;
import java.util.Optional;

/**
 * What goes on, as one line.
 *
 * @param what in words
 * @param done how much of it is done (count)
 * @param total how much there is (count); 0 when nobody knows
 * @param before how much was done when it began (count)
 * @param elapsed since it began
 */
record ProgressLine(String what, int done, int total, int before, Duration elapsed) {

  private static final int WIDEST_BAR = 30;
  private static final int NARROWEST_BAR = 5;

  /** Two brackets and a blank. */
  private static final int AROUND_BAR = 3;

  /** Of something of which nothing was done before. */
  ProgressLine(String what, int done, int total, Duration elapsed) {
    this(what, done, total, 0, elapsed);
  }

  /** The time left if the rest goes as fast as what is done; empty while nothing is done. */
  Optional<Duration> left() {
    int doneNow = done - before;
    if (doneNow <= 0 || total <= done) {
      return Optional.empty();
    }
    return Optional.of(elapsed.multipliedBy(total - done).dividedBy(doneNow));
  }

  /** The line with a bar, at most {@code width} columns long. */
  String live(int width) {
    // One column stays free: a line that fills a terminal wraps.
    int columns = Math.max(0, width - 1);
    String counts = counts();
    int room = Math.min(WIDEST_BAR, columns - counts.length() - AROUND_BAR);
    String line = total > 0 && room >= NARROWEST_BAR ? bar(room) + " " + counts : counts;
    return line.length() <= columns ? line : line.substring(0, columns);
  }

  /** The line without a bar, to be followed by others. */
  String plain() {
    if (total == 0) {
      return what;
    }
    return done == 0 ? total + " " + what : counts();
  }

  private String counts() {
    StringBuilder text = new StringBuilder();
    if (total > 0) {
      text.append(done).append('/').append(total).append(' ');
    }
    text.append(what).append("  ").append(DurationText.seconds(elapsed));
    left().ifPresent(l -> text.append(", about ").append(DurationText.seconds(l)).append(" left"));
    return text.toString();
  }

  private String bar(int room) {
    int full = Math.min(room, (int) ((long) room * done / total));
    return "[" + "#".repeat(full) + ".".repeat(room - full) + "]";
  }
}
