package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.view.MessageJson;
import dev.berth.ops.view.Tables;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchStuckResponse;
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
      "Tells each claim that gets stuck or no longer is, as it happens.",
      "Those that are stuck already come first. Ends at Ctrl-C (exit code 130).",
      "-o json is an object a line, -o yaml a document each."
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
      names = "--code",
      paramLabel = "CODE",
      description = "Only with this code, such as controller-error.")
  private String code = "";

  @Mixin private final OutputOption output = new OutputOption();

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
    WatchStuckRequest request =
        WatchStuckRequest.newBuilder()
            .setNamespace(namespace)
            .setPlugin(plugin)
            .setNode(node)
            .setCode(code)
            .build();
    return api.call(
        terminal,
        (client, progress) -> {
          client.watch(stub -> stub.watchStuck(request), this::tell);
          return ExitCode.OK;
        });
  }

  /** False once nobody reads any more. */
  private boolean tell(WatchStuckResponse change) {
    switch (change.getChangeCase()) {
      case UPDATED -> stuck(change.getUpdated());
      case REMOVED -> noLonger(change.getRemoved());
      case SYNCED, CHANGE_NOT_SET -> {}
    }
    return !terminal.out().checkError();
  }

  private void stuck(Stuck stuck) {
    Claim claim = stuck.getClaim();
    String now = stuck.getCode();
    if (now.equals(known.put(key(claim.getRef(), claim.getAlloc(), claim.getNode()), now))) {
      return;
    }
    output.next(
        terminal,
        () -> line("stuck").set("claim", MessageJson.of(claim)),
        () -> output.wide() ? text(claim) + more(claim) : text(claim));
  }

  private String text(Claim claim) {
    // A claim that has its volume and is held for its lost node has no step that is next.
    String step = claim.getNextStep().isEmpty() ? "" : claim.getNextStep() + ", ";
    return "%s  stuck  %s on node %s: %s%s: %s"
        .formatted(
            now(),
            name(claim.getRef(), claim.getAlloc()),
            claim.getNode(),
            step,
            claim.getHold().getCode(),
            claim.getHold().getDetail().replaceAll("\\p{Cntrl}+", " "));
  }

  private static String more(Claim claim) {
    return " (plugin %s, tries %d%s)"
        .formatted(
            claim.getPlugin(),
            claim.getHold().getAttempts(),
            claim.getHold().getRpcCode().isEmpty() ? "" : ", " + claim.getHold().getRpcCode());
  }

  /** It may be free, or be held by what needs nobody: only that it is not stuck is known. */
  private void noLonger(WatchStuckResponse.Removed removed) {
    if (known.remove(key(removed.getRef(), removed.getAlloc(), removed.getNode())) == null) {
      return;
    }
    output.next(
        terminal,
        () ->
            line("no-longer-stuck")
                .<ObjectNode>set("ref", MessageJson.of(removed.getRef()))
                .put("alloc", removed.getAlloc()),
        () ->
            "%s  no longer stuck  %s".formatted(now(), name(removed.getRef(), removed.getAlloc())));
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

  private static String name(VolumeRef ref, String alloc) {
    return Tables.name(ref) + " " + (alloc.isEmpty() ? "(no claim)" : alloc);
  }

  /** A detach without a claim is known by its node, which a claim's removal does not tell. */
  private static String key(VolumeRef ref, String alloc, String node) {
    return Tables.name(ref) + "/" + (alloc.isEmpty() ? "@" + node : alloc);
  }
}
