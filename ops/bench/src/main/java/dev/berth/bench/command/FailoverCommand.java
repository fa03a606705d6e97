package dev.berth.bench.command;

import dev.berth.bench.failover.FailoverBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench failover}. */
@Command(
    name = "failover",
    description = {
      "Measures how long a killed process is felt.",
      "A worker, a Streams instance (with and without standby) and the broker are",
      "killed under a steady load: time to the next decision and the next call.",
      "Brokers, plugins, workers and Streams instances are processes of their own."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench failover --quick",
      "  berth bench failover --out /tmp/bench"
    })
final class FailoverCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  FailoverCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new FailoverBench()), options);
  }
}
