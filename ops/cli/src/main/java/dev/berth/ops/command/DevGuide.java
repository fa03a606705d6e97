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
    lines.add(INDENT + "Follow the claim table, from anywhere on this machine:");
    lines.add(
        INDENT
            + "  kcat -C -b %s -t %s.claims -s value=avro -r %s"
                .formatted(
                    stack.bootstrapServers(),
                    stack.connection().topics().prefix(),
                    stack.registryUrl()));
    lines.add(INDENT + "Claim volumes with the scheduler's library (berth-producers):");
    lines.add(
        INDENT
            + "  Scheduler.start(SchedulerConfig.of(\"dev\", Connection.to(\"%s\", \"%s\")))"
                .formatted(stack.bootstrapServers(), stack.registryUrl()));
    lines.add(INDENT + "All topics: berth topics describe");
    lines.add("");
    lines.add("Ctrl-C stops it; the data stays.");
    return lines;
  }

  private TextTable addresses() {
    List<String> nodes = stack.config().nodeIds();
    Path log = stack.data().resolve("berth.log");
    return new TextTable("what", "where")
        .row("bootstrap servers", stack.bootstrapServers())
        .row("schema registry", stack.registryUrl())
        .row("health", stack.healthUrl())
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
