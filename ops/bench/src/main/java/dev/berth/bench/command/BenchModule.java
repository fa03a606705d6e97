package dev.berth.bench.command;

import dev.berth.ops.command.CommandModule;
import dev.berth.ops.terminal.Terminal;
import java.time.Clock;
import picocli.CommandLine;

/** {@code berth bench} with its subcommands. */
public final class BenchModule implements CommandModule {
  /** Found with {@link java.util.ServiceLoader}. */
  public BenchModule() {}

  @Override
  public CommandLine command(Terminal terminal) {
    BenchRun run = new BenchRun(terminal, Clock.systemUTC());
    return new CommandLine(new BenchCommand())
        .addSubcommand(new AllCommand(run))
        .addSubcommand(new CoreCommand(run))
        .addSubcommand(new TableCommand(run))
        .addSubcommand(new LatencyCommand(run))
        .addSubcommand(new LanesCommand(run))
        .addSubcommand(new IsolationCommand(run))
        .addSubcommand(new FailoverCommand(run))
        .addSubcommand(new PoliciesCommand(run));
  }
}
