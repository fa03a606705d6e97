package dev.berth.ops.lives;

import dev.berth.ops.terminal.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a life has told so far, and whether its kill is due. Safe for several threads. */
final class LifeWatch {

  private final int number;
  private final Progress progress;
  private String step = "starting a JVM";
  private int done;
  private int total;
  private boolean workBegun;
  private boolean workOver;
  private Optional<Instant> reached = Optional.empty();

  /**
   * Nothing has been told.
   *
   * @param number of the life, from 1
   * @param progress shows what is told
   */
  LifeWatch(int number, Progress progress) {
    this.number = number;
    this.progress = progress;
  }

  /** Takes a line of its standard error. */
  synchronized void line(String line) {
    Optional<LifeSignal> signal = LifeSignal.parse(line);
    if (signal.isEmpty()) {
      progress.say(line);
    } else if (signal.get() instanceof LifeSignal.Step begun) {
      step = begun.text();
      total = begun.total();
      done = 0;
      workBegun |= total > 0;
      workOver |= workBegun && total == 0;
      progress.step("life %d: %s".formatted(number, step), total);
    } else if (signal.get() instanceof LifeSignal.Progressed progressed) {
      done = progressed.done();
      progress.at(done);
    }
  }

  /**
   * Whether it is to be killed now. Once its work is over, what is left is short: a point that was
   * not reached until then is taken to be, so that the kill is not missed.
   *
   * @param age since the process began
   */
  synchronized boolean isDue(KillPoint point, Duration age, Instant now) {
    if (point instanceof KillPoint.AtAge atAge) {
      return workOver || age.compareTo(atAge.age()) >= 0;
    }
    KillPoint.AtProgress at = (KillPoint.AtProgress) point;
    if (reached.isEmpty() && (workOver || (total > 0 && done >= at.share() * total))) {
      reached = Optional.of(now);
    }
    return reached.isPresent() && !now.isBefore(reached.get().plus(at.later()));
  }

  /** The kill, as it is written down. */
  synchronized Life.Kill kill(Instant at) {
    return new Life.Kill(at, step, done, total);
  }
}
