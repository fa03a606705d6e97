package dev.berth.ops.command;

import dev.berth.ops.lives.KillSchedule;
import dev.berth.ops.lives.KilledRun;
import dev.berth.ops.lives.LifeSignal;
import dev.berth.ops.lives.Lifeline;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Both sides of {@code berth demo --kill}: the process that kills, and those that are killed. */
final class DemoLives {

  /** Makes a demonstration one life of a killed one; its value is the data directory. */
  static final String LIFE_IN = "--life-in";

  /** What the JVM exits with when SIGTERM ends it; a life without its watcher does the same. */
  private static final int TERMINATED = 128 + 15;

  private DemoLives() {}

  /**
   * Runs the lives: this very command line, on one data directory.
   *
   * @return what the last one exited with; it has printed the report
   */
  static int run(CommandSpec command, KillSchedule schedule, Path data, Terminal terminal)
      throws InterruptedException {
    List<String> arguments =
        new ArrayList<>(command.root().commandLine().getParseResult().originalArgs());
    arguments.addAll(List.of(LIFE_IN, data.toString()));
    try (Progress progress = new Progress(terminal, System::nanoTime)) {
      return new KilledRun(arguments, schedule, Clock.systemUTC(), progress).run(data);
    }
  }

  /** The progress of a life, told to the process that watches it. */
  static Progress progress(Terminal terminal) {
    // Only what the watching process reads goes to standard error.
    Terminal nobody =
        Terminal.plain(
            terminal.out(),
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    return new Progress(
        nobody,
        System::nanoTime,
        new Progress.Watcher() {
          @Override
          public void step(String text, int parts) {
            terminal.err().println(new LifeSignal.Step(text, parts).line());
          }

          @Override
          public void at(int parts) {
            terminal.err().println(new LifeSignal.Progressed(parts).line());
          }
        });
  }

  /** Ends this process when the one that watches it is gone. */
  static void holdToWatcher() {
    Lifeline.hold(System.in, () -> System.exit(TERMINATED));
  }
}
