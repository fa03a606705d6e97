package dev.berth.ops.command;

import dev.berth.ops.terminal.Question;
import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.FieldRules;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.NodeFile;
import dev.berth.producers.files.NodeFile.NodeEntry;
import dev.berth.records.NodeStatus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth node apply}. */
@Command(
    name = "apply",
    description = {
      "Says how nodes are, in the name of their scheduler.",
      "The latest word about a node counts; nodes that the files do not name stay as",
      "they are. Fields: id, status (ready, disconnected, down, gone), eligible.",
      "A node that is down or gone can lose its volumes under what runs there: confirm",
      "with --yes and say why with --reason, or answer when asked."
    },
    footer = {
      "",
      "Examples:",
      "  berth node apply --scheduler east -f nodes.yaml",
      "  echo '{id: n1, status: down}' | berth node apply --scheduler east -f - \\",
      "      --yes --reason \"rack 7 has no power\""
    })
final class NodeApplyCommand implements Callable<Integer> {

  /** Down does so under the policy node-loss: detach only, which is not known here. */
  private static final Set<NodeStatus> ENDS_CLAIMS = Set.of(NodeStatus.DOWN, NodeStatus.GONE);

  @Option(
      names = "--scheduler",
      paramLabel = "ID",
      required = true,
      description = "The scheduler that the nodes belong to.")
  private String scheduler = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, in your words; on standard error only, for no node's record holds it.")
  private String reason = "";

  @Mixin private final DangerOptions danger = new DangerOptions();
  @Mixin private final TargetOptions api = new TargetOptions();
  @Mixin private final FileOption files = new FileOption();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;

  private final Question question;

  NodeApplyCommand(Terminal terminal, Question question) {
    this.terminal = terminal;
    this.question = question;
  }

  @Override
  public Integer call() throws Exception {
    return SendOptions.reading(terminal, this::run);
  }

  private int run() throws Exception {
    if (!files.given()) {
      throw files.usage("--file FILE is missing: name the file that holds the nodes");
    }
    List<Located<NodeEntry>> nodes = files.read(NodeFile::nodes);
    String id = scheduler();
    if (options.dryRun()) {
      return options.checked(terminal, nodes.size(), "node");
    }
    if (!confirmed(nodes)) {
      return ExitCode.FAILED;
    }
    SchedulerConfig config = SchedulerConfig.of(id, options.connection().connection());
    return options.send(
        terminal,
        "writing nodes",
        nodes.size(),
        "NODE",
        batch -> {
          try (NodePublisher publisher = NodePublisher.start(config)) {
            return batch.write(
                nodes,
                NodeEntry::id,
                node -> publisher.publish(node.id(), node.status(), node.eligible()));
          }
        });
  }

  /** Whether nothing can be lost by it, or somebody has said yes. */
  private boolean confirmed(List<Located<NodeEntry>> nodes) {
    List<String> lost =
        nodes.stream()
            .map(Located::value)
            .filter(node -> ENDS_CLAIMS.contains(node.status()))
            .map(NodeEntry::id)
            .toList();
    return lost.isEmpty()
        || danger
            .confirmed(
                terminal,
                question,
                "Says that %s went down or is gone, and ends their claims: of one that is gone at once, of one that is down as the policy node-loss says."
                    .formatted(DangerOptions.named("node", lost)),
                "A running workload loses the volume, and what it has not written yet.",
                () -> AtStake.nodes(lost).lines(options.connection().api(api)),
                reason)
            .isPresent();
  }

  private String scheduler() {
    try {
      return FieldRules.id("scheduler", scheduler);
    } catch (IllegalArgumentException e) {
      throw files.usage("--scheduler: " + e.getMessage());
    }
  }
}
