package dev.berth.bench.command;

import dev.berth.bench.table.TableBench;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth bench table}. */
@Command(
    name = "table",
    description = {
      "Measures how fast the topology takes events.",
      "Claims and ends at full speed, beside a bare hop that stores and sends the",
      "same bytes and decides nothing; and on tables of up to a million volumes,",
      "with Berth in a process of its own with 512 MB of heap, and its restore."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench table --quick",
      "  berth bench table --out /tmp/bench"
    })
final class TableCommand implements Callable<Integer> {
  @Mixin private RunOptions options = new RunOptions();
  private final BenchRun run;

  TableCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new TableBench()), options);
  }
}
