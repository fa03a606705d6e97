package dev.berth.ops.command;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth topics describe}: the catalogue, without asking any cluster. */
@Command(
    name = "describe",
    description = "Prints the topic catalogue: what every topic holds, who writes and reads it.",
    footer = {
      "",
      "Examples:",
      "  berth topics describe",
      "  berth topics describe --prefix prod -o json"
    })
final class TopicsDescribeCommand implements Callable<Integer> {

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "First part of the topics' names (default: ${DEFAULT-VALUE}).")
  private String prefix = Topics.DEFAULT_PREFIX;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: text).")
  private OutputFormat output = OutputFormat.TEXT;

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  TopicsDescribeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Topics topics;
    try {
      topics = new Topics(prefix);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--prefix: " + e.getMessage(), e);
    }
    if (output == OutputFormat.JSON) {
      terminal.out().println(JsonOutput.text(json(topics)));
    } else {
      text(topics).forEach(terminal.out()::println);
    }
    return ExitCode.OK;
  }

  private List<String> text(Topics topics) {
    TextTable table =
        new TextTable("TOPIC", "KEY", "VALUE", "PARTITIONS", "CLEANUP", "WRITTEN BY", "READ BY");
    for (Topic topic : Topic.values()) {
      table.row(
          topics.name(topic),
          topic.key(),
          value(topic),
          topic.partitioning().defaultCount(),
          topic.retention().inWords(),
          parties(topic.writers()),
          parties(topic.readers()));
    }
    return table.lines();
  }

  private static ArrayNode json(Topics topics) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (Topic topic : Topic.values()) {
      ObjectNode entry = list.addObject();
      entry.put("name", topics.name(topic));
      entry.put("key", topic.key());
      entry.put("value", value(topic));
      topic.schema().ifPresent(schema -> entry.put("subject", topics.subject(topic)));
      entry.put("partitions", topic.partitioning().defaultCount());
      entry.put("partitionedBy", topic.partitioning().by());
      entry.set("configs", JsonOutput.mapper().valueToTree(topic.configs()));
      entry.set("writers", labels(topic.writers()));
      entry.set("readers", labels(topic.readers()));
      entry.put("purpose", topic.purpose());
    }
    return list;
  }

  private static String value(Topic topic) {
    return topic.schema().map(schema -> schema.getName()).orElse("bytes");
  }

  private static String parties(Set<Party> parties) {
    return parties.stream().sorted().map(Party::label).collect(joining(", "));
  }

  private static ArrayNode labels(Set<Party> parties) {
    ArrayNode labels = JsonOutput.mapper().createArrayNode();
    parties.stream().sorted().map(Party::label).forEach(labels::add);
    return labels;
  }
}
