package dev.berth.bench.command;

import dev.berth.bench.latency.LatencyBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench latency}. */
@Command(
    name = "latency",
    description = {
      "Measures the time from an event to the call of the plugin.",
      "Claims and ends of allocs at fixed times, beside a bare pipeline of two",
      "exactly-once hops and an accept transaction that decides nothing. All of it,",
      "brokers too, runs in this process."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench latency --quick",
      "  berth bench latency --out /tmp/bench"
    })
final class LatencyCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  LatencyCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new LatencyBench()), options);
  }
}
