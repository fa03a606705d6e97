package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.producers.FieldRules;
import dev.berth.producers.NodePublisher;
import dev.berth.producers.SchedulerConfig;
import dev.berth.producers.files.Located;
import dev.berth.producers.files.NodeFile;
import dev.berth.producers.files.NodeFile.NodeEntry;
import java.util.List;
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
      "they are. Fields: id, status (ready, disconnected, down, gone), eligible."
    },
    footer = {
      "",
      "Examples:",
      "  berth node apply --scheduler east -f nodes.yaml",
      "  echo '{id: n1, status: down}' | berth node apply --scheduler east -f -"
    })
final class NodeApplyCommand implements Callable<Integer> {

  @Option(
      names = "--scheduler",
      paramLabel = "ID",
      required = true,
      description = "The scheduler that the nodes belong to.")
  private String scheduler = "";

  @Mixin private final FileOption files = new FileOption();
  @Mixin private final SendOptions options = new SendOptions();

  private final Terminal terminal;

  NodeApplyCommand(Terminal terminal) {
    this.terminal = terminal;
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
      return options.checked(terminal, nodes.size(), "nodes");
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

  private String scheduler() {
    try {
      return FieldRules.id("scheduler", scheduler);
    } catch (IllegalArgumentException e) {
      throw files.usage("--scheduler: " + e.getMessage());
    }
  }
}
