package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Progress;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.ops.topics.ClusterAdmin;
import dev.berth.producers.Connection;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioned;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth topics create}. */
@Command(
    name = "create",
    description = {
      "Creates the topics that are missing, and registers all schemas.",
      "Partitions and settings are the catalogue's; topics that are there set the",
      "partition counts of those that must be equal. What exists is never changed: its",
      "differences are printed, and it exits 1 when Berth would not start with them.",
      "It can be run again at any time."
    },
    footer = {
      "",
      "Examples:",
      "  berth topics create --config berth.properties",
      "  berth topics create --replication-factor 1 --partitions volume=8,lane=24 \\",
      "      --bootstrap-servers localhost:9092 --registry http://localhost:8081",
      "  berth topics create --dry-run -o json --config berth.properties"
    })
final class TopicsCreateCommand implements Callable<Integer> {

  @Option(names = "--dry-run", description = "Says what would be created, and creates nothing.")
  private boolean dryRun;

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final LayoutOptions layout = new LayoutOptions();
  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;

  TopicsCreateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /**
   * What was done, or would be.
   *
   * @param topics partition counts of the new topics by name
   * @param schemas how many are registered (count)
   * @param differences of topics that were there
   */
  private record Done(Map<String, Integer> topics, int schemas, List<Difference> differences) {}

  @Override
  public Integer call() {
    Layout wanted = layout.layout();
    Connection connection = options.connection();
    Done done = done(connection, wanted);
    output.print(terminal, () -> json(done), () -> lines(done));
    return done.differences().stream().anyMatch(Difference::blocking)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private Done done(Connection connection, Layout wanted) {
    try (Progress progress = new Progress(terminal, System::nanoTime);
        Admin admin = ClusterAdmin.open(connection)) {
      progress.step(dryRun ? "looking at the topics" : "creating topics, registering schemas");
      return create(connection, new Provisioning(connection.topics(), wanted, admin));
    }
  }

  private Done create(Connection connection, Provisioning provisioning) {
    TopicPlan plan = provisioning.compare();
    Map<String, Integer> missing = named(connection.topics(), plan);
    if (dryRun) {
      return new Done(missing, 0, plan.differences());
    }
    try (Registry registry = Registry.connect(connection.registry())) {
      Provisioned done = provisioning.run(registry);
      // Somebody else may have created some of them meanwhile.
      missing.keySet().retainAll(done.created());
      return new Done(missing, done.schemaIds().size(), done.differences());
    }
  }

  private static Map<String, Integer> named(Topics topics, TopicPlan plan) {
    Map<String, Integer> named = new TreeMap<>();
    plan.missing().forEach((topic, partitions) -> named.put(topics.name(topic), partitions));
    return named;
  }

  private List<String> lines(Done done) {
    List<String> lines = new ArrayList<>();
    if (!done.topics().isEmpty()) {
      TextTable table = new TextTable("TOPIC", "PARTITIONS");
      done.topics().forEach(table::row);
      lines.addAll(table.lines());
    }
    lines.addAll(Differences.lines(terminal, done.differences()));
    lines.add(
        dryRun
            ? "Would create so many topics: " + done.topics().size()
            : "Created so many topics: %d. Schemas registered: %d."
                .formatted(done.topics().size(), done.schemas()));
    return lines;
  }

  private ObjectNode json(Done done) {
    ObjectNode document = JsonOutput.mapper().createObjectNode();
    document.put("dryRun", dryRun);
    ArrayNode topics = document.putArray("created");
    done.topics()
        .forEach((name, count) -> topics.addObject().put("topic", name).put("partitions", count));
    document.put("schemas", done.schemas());
    document.set("differences", Differences.json(done.differences()));
    return document;
  }
}
