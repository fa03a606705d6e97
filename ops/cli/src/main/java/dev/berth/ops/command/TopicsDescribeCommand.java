package dev.berth.ops.command;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.terminal.TextTable;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth topics describe}: the catalogue, without asking any cluster. */
@Command(
    name = "describe",
    description = {
      "Prints the topic catalogue, without asking a cluster.",
      "What every topic holds, who writes and reads it. Partition counts are the",
      "defaults; a deployment may have others, and 'berth dev' has fewer."
    },
    footer = {
      "",
      "Examples:",
      "  berth topics describe",
      "  berth topics describe claims",
      "  berth topics describe -o wide",
      "  berth topics describe --prefix prod -o json"
    })
final class TopicsDescribeCommand implements Callable<Integer> {

  @Parameters(
      arity = "0..1",
      paramLabel = "TOPIC",
      description = "One topic, with its purpose; with or without prefix (default: all).")
  private @Nullable String name;

  @Mixin private final PrefixOption prefix = new PrefixOption();

  @Mixin private final OutputOption output = new OutputOption();

  @Spec private CommandSpec spec;
  private final Terminal terminal;

  TopicsDescribeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Topics topics = prefix.topics();
    List<Topic> shown =
        name == null
            ? List.of(Topic.values())
            : List.of(TopicName.parse(name, topics, spec.commandLine()));
    output.print(
        terminal,
        () -> json(topics, shown),
        () -> output.wide() ? wide(topics, shown).lines() : text(topics, shown));
    return ExitCode.OK;
  }

  private List<String> text(Topics topics, List<Topic> shown) {
    return name == null ? narrow(topics).lines() : single(topics, shown.get(0));
  }

  private static TextTable narrow(Topics topics) {
    TextTable table = new TextTable("TOPIC", "KEY", "VALUE", "PARTITIONS");
    for (Topic topic : Topic.values()) {
      table.row(topics.name(topic), topic.key(), value(topic), topic.partitioning().defaultCount());
    }
    return table;
  }

  private static List<String> single(Topics topics, Topic topic) {
    List<String> lines = new ArrayList<>(List.of(topics.name(topic), "  " + topic.purpose(), ""));
    new TextTable("what", "")
            .row("key", topic.key())
            .row("value", value(topic))
            .row(
                "partitions",
                topic.partitioning().defaultCount() + " unless a deployment chooses others")
            .row("cleanup", topic.retention().inWords())
            .row("written by", parties(topic.writers()))
            .row("read by", parties(topic.readers()))
            .lines()
            .stream()
            .skip(1)
            .forEach(line -> lines.add("  " + line));
    return lines;
  }

  private static TextTable wide(Topics topics, List<Topic> shown) {
    TextTable table =
        new TextTable("TOPIC", "KEY", "VALUE", "PARTITIONS", "CLEANUP", "WRITTEN BY", "READ BY");
    for (Topic topic : shown) {
      table.row(
          topics.name(topic),
          topic.key(),
          value(topic),
          topic.partitioning().defaultCount(),
          topic.retention().inWords(),
          parties(topic.writers()),
          parties(topic.readers()));
    }
    return table;
  }

  private static ArrayNode json(Topics topics, List<Topic> shown) {
    ArrayNode list = JsonOutput.mapper().createArrayNode();
    for (Topic topic : shown) {
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
