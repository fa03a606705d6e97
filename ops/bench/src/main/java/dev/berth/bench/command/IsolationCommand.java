package dev.berth.bench.command;

import dev.berth.bench.isolation.IsolationBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench isolation}. */
@Command(
    name = "isolation",
    description = {
      "Measures what plugins take from each other.",
      "Claims and ends on 99 plugins, with and without one more that hangs; and one",
      "attach in a burst of a thousand detaches. All of Berth and its broker run in",
      "this process."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench isolation --quick",
      "  berth bench isolation --out /tmp/bench"
    })
final class IsolationCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  IsolationCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new IsolationBench()), options);
  }
}
