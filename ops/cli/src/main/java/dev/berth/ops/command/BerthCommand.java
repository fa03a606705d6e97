package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Lines;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The top of the command line: {@code berth COMMAND}. */
@Command(
    name = "berth",
    description = {
      "Keeps the claims of workloads on CSI volumes, on Kafka.",
      "",
      "Start with 'berth demo': it brings everything it needs.",
      "'berth bench' measures Berth: see 'berth bench --help'."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 failed or found wrong, 2 not understood, 130 interrupted",
      "before it was done. Ctrl-C is the usual end of 'berth dev', 'berth streams' and",
      "'berth worker', which exit 0 then.",
      "",
      "To call it 'berth' from anywhere, make a symbolic link to ops/bin/berth on the",
      "PATH.",
      "",
      "Examples:",
      "  berth demo",
      "  berth dev --data /tmp/berth",
      "  berth topics describe"
    })
public final class BerthCommand implements Callable<Integer> {

  @Option(
      names = {"-V", "--version"},
      description = "Prints the versions, as 'berth version' does.")
  private boolean version;

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  private BerthCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * Runs a command line.
   *
   * @return the exit code, see {@link ExitCode}
   */
  public static int run(Terminal terminal, String... args) {
    return commandLine(terminal).execute(args);
  }

  static CommandLine commandLine(Terminal terminal) {
    return commandLine(terminal, Clock.systemUTC(), Question.system());
  }

  /** The same at another time, with somebody else to ask. */
  static CommandLine commandLine(Terminal terminal, Clock clock, Question question) {
    CommandLine topics =
        new CommandLine(new TopicsCommand())
            .addSubcommand(new TopicsDescribeCommand(terminal))
            .addSubcommand(new TopicsCreateCommand(terminal))
            .addSubcommand(new TopicsCheckCommand(terminal))
            .addSubcommand(new TopicsAclCommand(terminal))
            .addSubcommand(new TopicsReadCommand(terminal));
    CommandLine line =
        new CommandLine(new BerthCommand(terminal))
            .addSubcommand(new DemoCommand(terminal))
            .addSubcommand(new ChaosCommand(terminal))
            .addSubcommand(new DevCommand(terminal))
            .addSubcommand(new StreamsCommand(terminal))
            .addSubcommand(new WorkerCommand(terminal))
            .addSubcommand(topics)
            .addSubcommand(volumes(terminal, clock, question))
            .addSubcommand(claims(terminal, clock))
            .addSubcommand(new HistoryCommand(terminal, clock))
            .addSubcommand(stuck(terminal, clock, question))
            .addSubcommand(attachments(terminal, clock))
            .addSubcommand(lanes(terminal, clock))
            .addSubcommand(new DetachVolumeCommand(terminal, question))
            .addSubcommand(new UnblockVolumeCommand(terminal, question))
            .addSubcommand(new GcCommand(terminal))
            .addSubcommand(nodes(terminal, clock, question))
            .addSubcommand(plugins(terminal, clock))
            .addSubcommand(policies(terminal, clock, question))
            .addSubcommand(feeds(terminal))
            .addSubcommand(scenarios(terminal))
            .addSubcommand(new TopCommand(terminal, clock))
            .addSubcommand(new DoctorCommand(terminal))
            .addSubcommand(sessions(terminal, clock))
            .addSubcommand(new CompletionCommand(terminal))
            .addSubcommand(new VersionCommand(terminal));
    ServiceLoader.load(CommandModule.class)
        .forEach(module -> line.addSubcommand(module.command(terminal)));
    addHelp(line);
    OptionText.register(line);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF));
    line.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    line.setParameterExceptionHandler((e, args) -> complain(terminal, e));
    line.setExecutionExceptionHandler((e, command, parsed) -> fail(terminal, e));
    return line;
  }

  @Override
  public Integer call() {
    if (version) {
      return new VersionCommand(terminal).call();
    }
    throw new ParameterException(spec.commandLine(), "Missing command: begin with 'berth demo'");
  }

  private static CommandLine volumes(Terminal terminal, Clock clock, Question question) {
    return new CommandLine(new Groups.Volume())
        .addSubcommand(new VolumeListCommand(terminal, clock))
        .addSubcommand(new VolumeStatusCommand(terminal, clock))
        .addSubcommand(new VolumeRegisterCommand(terminal))
        .addSubcommand(new VolumeDeregisterCommand(terminal, question));
  }

  private static CommandLine nodes(Terminal terminal, Clock clock, Question question) {
    return new CommandLine(new Groups.Node())
        .addSubcommand(new NodeListCommand(terminal, clock))
        .addSubcommand(new NodeSlotsCommand(terminal, clock))
        .addSubcommand(new NodeFenceCommand(terminal, question))
        .addSubcommand(new NodeUnfenceCommand(terminal, question))
        .addSubcommand(new NodeApplyCommand(terminal, question));
  }

  private static CommandLine plugins(Terminal terminal, Clock clock) {
    return new CommandLine(new Groups.Plugin())
        .addSubcommand(new PluginListCommand(terminal, clock))
        .addSubcommand(new PluginStatusCommand(terminal, clock))
        .addSubcommand(new PluginPauseCommand(terminal))
        .addSubcommand(new PluginResumeCommand(terminal))
        .addSubcommand(new PluginApplyCommand(terminal, clock))
        .addSubcommand(new PluginRemoveCommand(terminal, clock));
  }

  private static CommandLine policies(Terminal terminal, Clock clock, Question question) {
    return new CommandLine(new Groups.Policy())
        .addSubcommand(new PolicyListCommand(terminal, clock))
        .addSubcommand(new PolicyGetCommand(terminal))
        .addSubcommand(new PolicySetCommand(terminal, clock, question))
        .addSubcommand(new PolicyUnsetCommand(terminal, clock, question));
  }

  private static CommandLine claims(Terminal terminal, Clock clock) {
    return new CommandLine(new Groups.Claim())
        .addSubcommand(new ClaimListCommand(terminal, clock))
        .addSubcommand(new ClaimWhyCommand(terminal, clock));
  }

  private static CommandLine attachments(Terminal terminal, Clock clock) {
    return new CommandLine(new Groups.Attachment())
        .addSubcommand(new AttachmentListCommand(terminal, clock));
  }

  private static CommandLine sessions(Terminal terminal, Clock clock) {
    return new CommandLine(new Groups.Session())
        .addSubcommand(new SessionOpenCommand(terminal))
        .addSubcommand(new SessionServeCommand(terminal, clock))
        .addSubcommand(new SessionCloseCommand(terminal));
  }

  private static CommandLine lanes(Terminal terminal, Clock clock) {
    return new CommandLine(new Groups.Lane()).addSubcommand(new LaneListCommand(terminal, clock));
  }

  private static CommandLine stuck(Terminal terminal, Clock clock, Question question) {
    return new CommandLine(new Groups.Stuck())
        .addSubcommand(new StuckListCommand(terminal, clock))
        .addSubcommand(new StuckShowCommand(terminal, clock))
        .addSubcommand(new StuckWatchCommand(terminal, clock))
        .addSubcommand(new StuckAlertCommand(terminal, clock))
        .addSubcommand(new StuckRetryCommand(terminal, clock))
        .addSubcommand(new StuckAssumeCommand(terminal, question));
  }

  private static CommandLine feeds(Terminal terminal) {
    return new CommandLine(new Groups.Feed())
        .addSubcommand(new FeedTraceCommand(terminal))
        .addSubcommand(new FeedEventsCommand(terminal, System.in));
  }

  private static CommandLine scenarios(Terminal terminal) {
    return new CommandLine(new Groups.Scenario())
        .addSubcommand(new ScenarioRunCommand(terminal))
        .addSubcommand(new ScenarioExploreCommand(terminal))
        .addSubcommand(new ScenarioRecordCommand(terminal, Clock.systemUTC()));
  }

  private static void addHelp(CommandLine line) {
    line.getCommandSpec().addMixin("help", CommandSpec.forAnnotatedObject(new HelpOption()));
    line.getSubcommands().values().forEach(BerthCommand::addHelp);
  }

  private static int complain(Terminal terminal, ParameterException e) {
    CommandLine command = e.getCommandLine();
    Lines.paragraph("berth: " + UsageError.describe(e)).forEach(terminal.err()::println);
    terminal.err().printf("Try '%s --help'.%n", command.getCommandSpec().qualifiedName(" "));
    return ExitCode.USAGE;
  }

  private static int fail(Terminal terminal, Exception e) {
    if (e instanceof InterruptedException) {
      terminal.err().println("berth: interrupted; everything is stopped");
      return ExitCode.FAILED;
    }
    Lines.paragraph("berth: " + Failure.describe(e)).stream()
        .map(terminal::bad)
        .forEach(terminal.err()::println);
    return ExitCode.FAILED;
  }
}
