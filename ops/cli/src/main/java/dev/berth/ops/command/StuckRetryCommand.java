package dev.berth.ops.command;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiFailedException;
import dev.berth.ops.api.Reads;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Lines;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Moments;
import dev.berth.ops.view.Tables;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.RetryCommand;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.SubmitCommandRequest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code berth stuck retry}. */
@Command(
    name = "retry",
    description = {
      "Tries stuck claims again at once, with a new budget of attempts.",
      "Those of one volume, or all that --code, --plugin, --namespace and --node",
      "choose. --dry-run shows which, --rate spares a plugin that has just come back.",
      "Exits 1 when something is refused or not answered."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck retry prod/db",
      "  berth stuck retry --code controller-error --plugin ebs --dry-run",
      "  berth stuck retry --plugin ebs --rate 2 --reason \"credentials are renewed\""
    })
final class StuckRetryCommand implements Callable<Integer> {

  @Parameters(
      arity = "0..1",
      paramLabel = "NAMESPACE/VOLUME",
      description = "Held and stuck claims of this volume.")
  private @Nullable VolumeName volume;

  @Option(names = "--alloc", paramLabel = "ALLOC", description = "Only of this alloc.")
  private String alloc = "";

  @Option(names = "--code", paramLabel = "CODE", description = "All with this code.")
  private String code = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "All of this plugin.")
  private String plugin = "";

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "All of this namespace.")
  private String namespace = "";

  @Option(names = "--node", paramLabel = "NODE", description = "All on this node.")
  private String node = "";

  @Option(names = "--dry-run", description = "Shows what would be retried; sends nothing.")
  private boolean dryRun;

  @Option(
      names = "--rate",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "So many a second at most, 1 to 100 (default: ${DEFAULT-VALUE}).")
  private int rate = 10;

  @Mixin private final SubmitOptions options = new SubmitOptions();

  private final Terminal terminal;
  private final Clock clock;

  StuckRetryCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    boolean chosen = Stream.of(code, plugin, namespace, node).anyMatch(text -> !text.isEmpty());
    if (chosen == (volume != null)) {
      throw options
          .api()
          .usage(
              "name a volume as NAMESPACE/VOLUME, or choose by --code, --plugin, --namespace or --node");
    }
    if (rate < 1 || rate > 100) {
      throw options.api().usage("--rate " + rate + ": give 1 to 100");
    }
    VolumeName name = volume;
    if (name != null && !dryRun) {
      return options.submit(
          terminal,
          "VOLUME",
          retry(name.toString(), VolumeArgument.ref(name), alloc),
          (client, answered) -> told(client, name, answered));
    }
    return options.api().call(terminal, this::chosen);
  }

  /** A retry stands while its plugin is paused, but nothing is tried: that has to be said. */
  private static Answered told(ApiClient client, VolumeName name, Answered answered) {
    if (answered.outcome() != Answered.Outcome.OK) {
      return answered;
    }
    try {
      Reads reads = new Reads(client, true);
      String plugin = reads.volume(VolumeArgument.ref(name)).getVolume().getPlugin();
      String still = String.join("; ", paused(reads, plugin));
      return still.isEmpty()
          ? answered
          : new Answered(
              answered.subject(), answered.outcome(), null, answered.message() + "; but " + still);
    } catch (ApiFailedException e) {
      // The command was answered: what cannot be looked up then must not look like its failure.
      return answered;
    }
  }

  private static List<String> paused(Reads reads, String plugin) {
    return reads.lanes(ListLanesRequest.newBuilder().setPlugin(plugin).build()).entries().stream()
        .filter(PluginLanes::hasPause)
        .map(
            lanes ->
                "plugin %s is paused by %s%s, and nothing of it is tried before berth plugin resume %s"
                    .formatted(
                        lanes.getPlugin(),
                        lanes.getPause().getAuthor(),
                        lanes.getPause().getReason().isEmpty()
                            ? ""
                            : " (" + lanes.getPause().getReason() + ")",
                        lanes.getPlugin()))
        .toList();
  }

  /** The same for those of many volumes, of which only the plugin that was named is known. */
  private void tellOfPauses(ApiClient client) {
    try {
      paused(new Reads(client, true), plugin).stream()
          .flatMap(what -> Lines.paragraph("berth: " + what).stream())
          .forEach(terminal.err()::println);
    } catch (ApiFailedException e) {
      terminal.err().println("berth: whether a plugin is paused is not known now");
    }
  }

  private int chosen(ApiClient client, Progress progress) {
    RetryStuckRequest request =
        RetryStuckRequest.newBuilder()
            .setNamespace(volume == null ? namespace : volume.namespace())
            .setVolume(volume == null ? "" : volume.id())
            .setAlloc(alloc)
            .setPlugin(plugin)
            .setNode(node)
            .setCode(code)
            .setDryRun(dryRun)
            .setRate(rate)
            .setAuthor(options.by())
            .setReason(options.reason())
            .build();
    List<Stuck> found = new ArrayList<>();
    List<Answered> answers = new ArrayList<>();
    client.watch(
        stub -> stub.retryStuck(request),
        step -> {
          switch (step.getStepCase()) {
            case CHOSEN -> {
              // It is begun anew while an instance is not ready.
              found.clear();
              progress.step("retrying stuck claims", step.getChosen().getClaims());
            }
            case FOUND -> found.add(step.getFound());
            case RETRIED -> {
              answers.add(answered(step.getRetried()));
              progress.at(answers.size());
            }
            case STEP_NOT_SET -> {}
          }
          return true;
        });
    progress.clear();
    if (dryRun) {
      return show(found);
    }
    if (answers.isEmpty()) {
      terminal.err().println("berth: no stuck claim is so; see berth stuck list");
    } else {
      tellOfPauses(client);
    }
    return Answered.print(terminal, options.output(), "CLAIM", answers);
  }

  private static Answered answered(RetryStuckResponse.Retried retried) {
    String subject = (Tables.name(retried.getRef()) + " " + retried.getAlloc()).strip();
    return retried.hasAnswer()
        ? Answered.of(subject, retried.getAnswer())
        : new Answered(subject, Answered.Outcome.FAILED, null, retried.getFailure());
  }

  private int show(List<Stuck> found) {
    options.output().print(terminal, () -> MessageJson.list(found), () -> lines(found));
    return ExitCode.OK;
  }

  /** Each, and how many there are of each code of each plugin. */
  private List<String> lines(List<Stuck> found) {
    List<String> lines = new ArrayList<>();
    if (!found.isEmpty()) {
      lines.addAll(
          Tables.STUCK.table(found, new Moments(clock.instant()), false).lines(Lines.WIDTH));
      lines.add("");
    }
    Map<String, Long> counts =
        found.stream()
            .collect(
                Collectors.groupingBy(
                    each ->
                        "%s of plugin %s".formatted(each.getCode(), each.getClaim().getPlugin()),
                    TreeMap::new,
                    Collectors.counting()));
    counts.forEach((what, count) -> lines.add("%d %s".formatted(count, what)));
    lines.add("%d would be retried; nothing was sent".formatted(found.size()));
    return lines;
  }

  private static SubmitOptions.Asked retry(
      String subject, dev.berth.proto.api.VolumeRef ref, String alloc) {
    return new SubmitOptions.Asked(
        subject,
        SubmitCommandRequest.newBuilder()
            .setRetry(RetryCommand.newBuilder().setRef(ref).setAlloc(alloc))
            .build());
  }
}
