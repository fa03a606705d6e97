package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ListClaimsRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth claim list}. */
@Command(
    name = "list",
    description = {"Lists claims: where each is, and what it waits for."},
    footer = {
      "",
      "Examples:",
      "  berth claim list",
      "  berth claim list --volume prod/db -o wide",
      "  berth claim list --node n1 --stuck -o json"
    })
final class ClaimListCommand implements Callable<Integer> {

  @Option(names = "--volume", paramLabel = "NAMESPACE/VOLUME", description = "Only on this volume.")
  private @Nullable VolumeName volume;

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
  private String node = "";

  @Option(names = "--alloc", paramLabel = "ALLOC", description = "Only of this alloc.")
  private String alloc = "";

  @Option(names = "--stuck", description = "Only those that need an operator.")
  private boolean stuck;

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  ClaimListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ClaimFilter.Builder filter =
        ClaimFilter.newBuilder()
            .setNamespace(namespace)
            .setPlugin(plugin)
            .setNode(node)
            .setAlloc(alloc)
            .setStuck(stuck);
    if (volume != null) {
      filter.setNamespace(volume.namespace()).setVolume(volume.id());
    }
    ListClaimsRequest request = ListClaimsRequest.newBuilder().setFilter(filter).build();
    return options.list(
        terminal,
        clock,
        Tables.CLAIMS,
        new ListOptions.Sought(plugin, node),
        reads -> reads.claims(request));
  }
}
