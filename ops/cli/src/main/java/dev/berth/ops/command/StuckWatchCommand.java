package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth stuck watch}. */
@Command(
    name = "watch",
    description = {
      "Tells each claim that gets stuck or is freed, as it happens.",
      "Those that are stuck already come first. Ends at Ctrl-C (exit code 130)."
    },
    footer = {
      "",
      "Examples:",
      "  berth stuck watch",
      "  berth stuck watch --plugin ebs -o json | alert"
    })
final class StuckWatchCommand implements Callable<Integer> {

  @Option(names = "--namespace", paramLabel = "NAMESPACE", description = "Only of this namespace.")
  private String namespace = "";

  @Option(names = "--plugin", paramLabel = "PLUGIN", description = "Only of this plugin.")
  private String plugin = "";

  @Option(names = "--node", paramLabel = "NODE", description = "Only on this node.")
  private String node = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text); json: an object a line.")
  private OutputFormat output = OutputFormat.TEXT;

  @Mixin private final ApiOptions api = new ApiOptions();

  private final Terminal terminal;
  private final Clock clock;

  /** Codes by what is stuck, so that what is told again after a snapshot is shown once. */
  private final Map<String, String> known = new HashMap<>();

  StuckWatchCommand(Terminal terminal, Clock clock) {
    this.terminal = terminal;
    this.clock = clock;
  }

  @Override
  public Integer call() throws Exception {
    WatchClaimsRequest request =
        WatchClaimsRequest.newBuilder()
            .setFilter(
                ClaimFilter.newBuilder()
                    .setNamespace(namespace)
                    .setPlugin(plugin)
                    .setNode(node)
                    .setStuck(true))
            .build();
    return api.call(
        terminal,
        (client, progress) -> {
          client.watch(stub -> stub.watchClaims(request), this::tell);
          return ExitCode.OK;
        });
  }

  /** False once nobody reads any more. */
  private boolean tell(WatchClaimsResponse change) {
    switch (change.getChangeCase()) {
      case UPDATED -> stuck(change.getUpdated());
      case REMOVED -> freed(change.getRemoved());
      case SYNCED, CHANGE_NOT_SET -> {}
    }
    return !terminal.out().checkError();
  }

  private void stuck(Claim claim) {
    String code = claim.getHold().getCode();
    if (code.equals(known.put(key(claim.getRef(), claim.getAlloc()), code))) {
      return;
    }
    if (output == OutputFormat.JSON) {
      ObjectNode line = line("stuck");
      line.set("claim", MessageJson.of(claim));
      terminal.out().println(line);
    } else {
      terminal
          .out()
          .printf(
              "%s  stuck  %s on node %s: %s, %s: %s%n",
              now(),
              key(claim.getRef(), claim.getAlloc()),
              claim.getNode(),
              claim.getNextStep(),
              code,
              claim.getHold().getDetail().replaceAll("\\p{Cntrl}+", " "));
    }
  }

  private void freed(WatchClaimsResponse.Removed removed) {
    String key = key(removed.getRef(), removed.getAlloc());
    if (known.remove(key) == null) {
      return;
    }
    if (output == OutputFormat.JSON) {
      ObjectNode line = line("freed");
      line.set("ref", MessageJson.of(removed.getRef()));
      line.put("alloc", removed.getAlloc());
      terminal.out().println(line);
    } else {
      terminal.out().printf("%s  freed  %s%n", now(), key);
    }
  }

  private ObjectNode line(String change) {
    ObjectNode line = JsonOutput.mapper().createObjectNode();
    line.put("at", now());
    line.put("change", change);
    return line;
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String key(VolumeRef ref, String alloc) {
    return Tables.name(ref) + " " + alloc;
  }
}
