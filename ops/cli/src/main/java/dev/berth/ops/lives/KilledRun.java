package dev.berth.ops.lives;

import dev.berth.ops.terminal.Progress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Runs a command on a data directory, kills its process with SIGKILL at the points of a schedule,
 * starts it again on the same data after each, and lets the last one come to its end.
 */
public final class KilledRun {

  private static final long BETWEEN_LOOKS_MILLIS = 5;

  private final List<String> arguments;
  private final KillSchedule schedule;
  private final InstantSource clock;
  private final Progress progress;

  /**
   * Prepares.
   *
   * @param arguments of the {@code berth} command that is a life; its standard error is to be in
   *     {@link LifeSignal}s
   */
  public KilledRun(
      List<String> arguments, KillSchedule schedule, InstantSource clock, Progress progress) {
    this.arguments = List.copyOf(arguments);
    this.schedule = schedule;
    this.clock = clock;
    this.progress = progress;
  }

  /**
   * Does it.
   *
   * @param data directory that the lives share
   * @return what the last life exited with; a life that ended before its kill is the last one, and
   *     its report holds the kills that were done against those that were asked for
   */
  public int run(Path data) throws InterruptedException {
    try (LifeBook book = LifeBook.open(data)) {
      int number = 1;
      for (KillPoint point : schedule.points()) {
        Optional<Integer> exit = live(book, Optional.of(point), number);
        if (exit.isPresent()) {
          progress.say(
              "life %d ended by itself; %d kills were to come"
                  .formatted(number, schedule.points().size() - number + 1));
          return exit.get();
        }
        number++;
      }
      return live(book, Optional.empty(), number).orElseThrow();
    }
  }

  /** One life: what it exited with, or empty when it was killed. */
  private Optional<Integer> live(LifeBook book, Optional<KillPoint> point, int number)
      throws InterruptedException {
    Instant began = clock.instant();
    book.started(began);
    LifeWatch seen = new LifeWatch(number, progress);
    try (LifeProcess process = LifeProcess.start(arguments, seen::line)) {
      while (!process.hasEndedWithin(BETWEEN_LOOKS_MILLIS)) {
        Instant now = clock.instant();
        if (point.isPresent() && seen.isDue(point.get(), Duration.between(began, now), now)) {
          process.kill();
          Life.Kill kill = seen.kill(clock.instant());
          book.killed(kill);
          progress.say("killed life %d while %s".formatted(number, kill.doing()));
          return Optional.empty();
        }
      }
      return Optional.of(process.exitCode());
    }
  }
}
