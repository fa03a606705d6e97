package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.ClusterAdmin;
import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code berth topics check}. */
@Command(
    name = "check",
    description = {
      "Compares the topics of a cluster with the catalogue.",
      "Partitions, copies, cleanup, retention and the other settings; changes nothing.",
      "Each difference is printed with its remedy. Exits 1 when a topic is missing or",
      "Berth would not start with what differs; another difference is a warning, as",
      "'berth doctor' has it."
    },
    footer = {
      "",
      "Examples:",
      "  berth topics check --config berth.properties",
      "  berth topics check --replication-factor 1 -o json \\",
      "      --bootstrap-servers localhost:9092 --registry http://localhost:8081"
    })
final class TopicsCheckCommand implements Callable<Integer> {

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final LayoutOptions layout = new LayoutOptions();
  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  private final Terminal terminal;

  TopicsCheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Layout wanted = layout.layout();
    Connection connection = options.connection();
    TopicPlan plan = compare(connection, wanted);
    output.print(
        terminal, () -> json(connection.topics(), plan), () -> lines(connection.topics(), plan));
    return plan.missing().isEmpty() && !Differences.wrong(plan.differences())
        ? ExitCode.OK
        : ExitCode.FAILED;
  }

  private static TopicPlan compare(Connection connection, Layout wanted) {
    try (Admin admin = ClusterAdmin.open(connection)) {
      return new Provisioning(connection.topics(), wanted, admin).compare();
    }
  }

  private List<String> lines(Topics topics, TopicPlan plan) {
    List<String> lines = new ArrayList<>();
    plan.missing()
        .keySet()
        .forEach(topic -> lines.add(terminal.bad(topics.name(topic) + ": missing")));
    if (!plan.missing().isEmpty()) {
      lines.add("    remedy: berth topics create, or give --prefix with the one that they have");
    }
    lines.addAll(Differences.lines(terminal, plan.differences()));
    return lines.isEmpty()
        ? List.of("All %d topics are as the catalogue has them.".formatted(Topic.values().length))
        : lines;
  }

  private static ObjectNode json(Topics topics, TopicPlan plan) {
    ObjectNode document = JsonOutput.mapper().createObjectNode();
    ArrayNode missing = document.putArray("missing");
    plan.missing().keySet().forEach(topic -> missing.add(topics.name(topic)));
    document.set("differences", Differences.json(plan.differences()));
    return document;
  }
}
