package dev.berth.bench.command;

import dev.berth.bench.policies.PoliciesBench;
import dev.berth.bench.policies.PolicyTrials;
import dev.berth.ops.command.TraceOptions;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth bench policies}. */
@Command(
    name = "policies",
    description = {
      "Compares Berth with models of its peers.",
      "On the same trace and the same simulated driver, in virtual time: waiting time",
      "of claims, calls that overlap, detaches that come too early. What the models of",
      "Nomad, Kubernetes and SwarmKit do is in ops/bench/POLICIES-MODELS.md."
    },
    footer = {
      "",
      "Examples:",
      "  berth bench policies --quick",
      "  berth bench policies --trace pods.csv --nodes nodes.csv --out /tmp/bench"
    })
final class PoliciesCommand implements Callable<Integer> {
  @Mixin private TraceOptions trace = new TraceOptions();
  @Mixin private RunOptions options = new RunOptions();
  @Spec private CommandSpec spec;
  private final BenchRun run;

  PoliciesCommand(BenchRun run) {
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    return run.run(List.of(new PoliciesBench(trials())), options);
  }

  private PolicyTrials trials() {
    try {
      return new PolicyTrials(trace.plan());
    } catch (RuntimeException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
