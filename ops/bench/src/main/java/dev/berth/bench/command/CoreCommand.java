package dev.berth.bench.command;

import dev.berth.bench.core.CoreBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench core}. */
@Command(
    name = "core",
    description = {
      "Measures decisions: time and bytes of each.",
      "The pure deciders of claims and lanes alone, without Kafka and stores, for",
      "usual events: on volumes and in lanes with few and many claims and calls,",
      "with and without many others beside them. By JMH, each case in JVMs of its own."
    },
    footer = {"", "Examples:", "  berth bench core --quick", "  berth bench core --out /tmp/bench"})
final class CoreCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  CoreCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new CoreBench()), options);
  }
}
