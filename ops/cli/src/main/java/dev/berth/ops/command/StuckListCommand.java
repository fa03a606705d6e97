package dev.berth.ops.command;

import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.ListStuckRequest;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth stuck list}. */
@Command(
    name = "list",
    description = {
      "Lists the claims that need an operator.",
      "Each is on the dead-letter topic too, and goes on being tried at the longest",
      "interval."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck list",
      "  berth stuck list --code controller-error --plugin ebs -o wide"
    })
final class StuckListCommand implements Callable<Integer> {

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
  private String node = "";

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "Only with this code, such as controller-error.")
  private String code = "";

  @Mixin private final ListOptions options = new ListOptions();

  private final Terminal terminal;
  private final Clock clock;

  StuckListCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    ListStuckRequest filter =
        ListStuckRequest.newBuilder()
            .setNamespace(namespace)
            .setPlugin(plugin)
            .setNode(node)
            .setCode(code)
            .build();
    return options.list(
        terminal,
        clock,
        Tables.STUCK,
        new ListOptions.Sought(plugin, node),
        reads -> reads.stuck(filter));
  }
}
