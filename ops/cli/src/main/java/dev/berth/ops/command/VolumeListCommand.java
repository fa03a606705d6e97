package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListVolumesRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth volume list}. */
@Command(
    name = "list",
    description = {"Lists volumes: how each is used, and what waits for it."},
    footer = {
      "",
      "Examples:",
      "  berth volume list",
      "  berth volume list --namespace prod -o wide",
      "  berth volume list --plugin ebs -o json --api 10.0.0.5:7070"
    })
final class VolumeListCommand implements Callable<Integer> {

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  VolumeListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListVolumesRequest filter =
        ListVolumesRequest.newBuilder().setNamespace(namespace).setPlugin(plugin).build();
    return options.list(
        terminal,
        clock,
        Tables.VOLUMES,
        new ListOptions.Sought(plugin, ""),
        reads -> reads.volumes(filter));
  }
}
