package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.ListAttachmentsRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth attachment list}. */
@Command(
    name = "list",
    description = {
      "Lists which volume is attached to which node.",
      "Also those that are on their way, and those of which nobody knows (uncertain)."
    },
    footer = {
      "",
      "Examples:",
      "  berth attachment list",
      "  berth attachment list --node n1 --watch",
      "  berth attachment list --volume prod/db -o json"
    })
final class AttachmentListCommand implements Callable<Integer> {

  @Option(names = "--volume", paramLabel = "NAMESPACE/VOLUME", description = "Only of this volume.")
  private @Nullable VolumeName volume;

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--node", paramLabel = "NODE", description = "Only to this node.")
  private String node = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  AttachmentListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListAttachmentsRequest.Builder filter =
        ListAttachmentsRequest.newBuilder().setNamespace(namespace).setPlugin(plugin).setNode(node);
    if (volume != null) {
      if (!namespace.isEmpty()) {
        throw options.usage("--volume names its namespace: leave --namespace out");
      }
      filter.setNamespace(volume.namespace()).setVolume(volume.id());
    }
    ListAttachmentsRequest chosen = filter.build();
    return options.list(
        terminal,
        clock,
        Tables.ATTACHMENTS,
        new ListOptions.Sought(plugin, node),
        reads -> reads.attachments(chosen));
  }
}
