package dev.berth.ops.command;

import dev.berth.ops.stack.EmbeddedStack;
import dev.berth.ops.stack.StackPlugin;
import dev.berth.ops.terminal.TextTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to reach a stack, for who has just started it. */
final class DevGuide {

  private static final String INDENT = "  ";

  private final EmbeddedStack stack;

  DevGuide(EmbeddedStack stack) {
    this.stack = stack;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    addresses().lines().stream().skip(1).forEach(line -> lines.add(INDENT + line));
    lines.add("");
    plugins().lines().forEach(line -> lines.add(INDENT + line));
    lines.add("");
    followIt().forEach(line -> lines.add(INDENT + line));
    lines.add("");
    kept().forEach(line -> lines.add(INDENT + line));
    lines.add("");
    lines.add("Ctrl-C stops it; the data stays.");
    return lines;
  }

  private List<String> followIt() {
    return List.of(
        "Follow the claim table, in another terminal (any client of Kafka and Avro does as well):",
        "  export BERTH_BOOTSTRAP_SERVERS=" + stack.bootstrapServers(),
        "  export BERTH_SCHEMA_REGISTRY_URL=" + stack.registryUrl(),
        "  export BERTH_API=" + stack.apiAddress(),
        "  berth topics read claims --follow",
        "See what is so: berth claim list, berth volume status NAMESPACE/VOLUME, berth stuck list",
        "Claim volumes with the scheduler's library (berth-producers):",
        "  Connection connection ="
            + " Connection.to(\"%s\", \"%s\");"
                .formatted(stack.bootstrapServers(), stack.registryUrl()),
        "  Scheduler scheduler = Scheduler.start(SchedulerConfig.of(\"%s\", connection));"
            .formatted(stack.config().scheduler()),
        "All topics: berth topics describe; here they have fewer partitions than it says.");
  }

  private static List<String> kept() {
    return List.of(
        "Kept: topics, schemas, stores, what is attached and mounted, warnings (berth.log, 40 MB at",
        "most), and the calls about volumes of this run and the one before (calls.jsonl, about 2 KB",
        "a claim). The addresses above may be others at the next start.");
  }

  private TextTable addresses() {
    List<String> nodes = stack.config().nodeIds();
    Path log = stack.data().resolve("berth.log");
    return new TextTable("what", "where")
        .row("bootstrap servers", stack.bootstrapServers())
        .row("schema registry", stack.registryUrl())
        .row("query API (gRPC)", stack.apiAddress())
        .row("health", stack.healthUrl() + " (beside it /ready and /metrics)")
        .row("of the worker", stack.workerHealthUrl())
        .row("data", stack.data())
        .row("log", log)
        .row(
            "nodes",
            "%s to %s, of scheduler \"%s\""
                .formatted(nodes.get(0), nodes.get(nodes.size() - 1), stack.config().scheduler()));
  }

  private TextTable plugins() {
    TextTable table = new TextTable("PLUGIN", "CONTROLLERS", "MOUNTED BY", "A SOCKET");
    for (StackPlugin plugin : stack.config().plugins()) {
      table.row(
          plugin.id(),
          plugin.controllers() == 0 ? "none" : plugin.controllers(),
          plugin.workersMount() ? "node workers" : "clients",
          stack.endpoints().stream()
              .filter(e -> e.plugin().filter(plugin.id()::equals).isPresent())
              .map(e -> e.address().text())
              .findFirst()
              .orElse(""));
    }
    return table;
  }
}
