package dev.berth.bench.command;

import dev.berth.bench.lanes.LanesBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench lanes}. */
@Command(
    name = "lanes",
    description = {
      "Measures how busy lanes are kept.",
      "Attaches wait in line behind a pause and are let out: one lane with calls of",
      "many lengths, many plugins at once, lanes by node and by volume. All of Berth",
      "and its broker run in this process."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench lanes --quick",
      "  berth bench lanes --out /tmp/bench"
    })
final class LanesCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  LanesCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new LanesBench()), options);
  }
}
