package dev.berth.bench.command;

import dev.berth.bench.core.CoreBench;
import dev.berth.bench.failover.FailoverBench;
import dev.berth.bench.isolation.IsolationBench;
import dev.berth.bench.lanes.LanesBench;
import dev.berth.bench.latency.LatencyBench;
import dev.berth.bench.policies.PoliciesBench;
import dev.berth.bench.policies.PolicyTrials;
import dev.berth.bench.table.TableBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench all}. */
@Command(
    name = "all",
    description = "Runs every bench, one after the other.",
    footer = {"", "Examples:", "  berth bench all --quick", "  berth bench all --out /tmp/bench"})
final class AllCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  AllCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(
        List.of(
            new CoreBench(),
            new TableBench(),
            new LatencyBench(),
            new LanesBench(),
            new IsolationBench(),
            new FailoverBench(),
            new PoliciesBench(PolicyTrials.ofSample())),
        options);
  }
}
