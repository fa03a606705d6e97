package dev.berth.ops.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.ops.terminal.Terminal;
import dev.berth.ops.topics.TopicReader;
import dev.berth.ops.topics.TopicRecord;
import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Topic;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth topics read}: what a topic holds, record by record. */
@Command(
    name = "read",
    description = {
      "Prints the records of a topic from its beginning.",
      "Keys and values, decoded through the schema registry; a tombstone has the",
      "value null. Reads committed records and joins no consumer group. With --follow",
      "it ends at Ctrl-C (exit code 130) or at --limit. Exits 1 when the topic or the",
      "cluster cannot be reached, or when a record could not be read. -o wide adds the",
      "place and the headers; -o json is an object a line, -o yaml a document each."
    },
    footer = {
      "",
      "Examples:",
      "  berth topics read claims --config berth.properties",
      "  berth topics read claim-history --follow -o json \\",
      "      --bootstrap-servers localhost:9092 --registry http://localhost:8081"
    })
final class TopicsReadCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "TOPIC",
      description = "A topic that 'berth topics describe' lists; with or without prefix.")
  private String name = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Waits for more at the end.")
  private boolean follow;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "COUNT",
      description = "Ends after so many records, 1 or more.")
  private long limit = Long.MAX_VALUE;

  @Mixin private final OutputOption output = new OutputOption();

  @Mixin private final ConnectionOptions options = new ConnectionOptions();

  @Spec private CommandSpec spec;
  private final Terminal terminal;
  private long printed;
  private long unreadable;

  TopicsReadCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new ParameterException(
          spec.commandLine(), "--limit %d is too small: give 1 or more".formatted(limit));
    }
    Connection connection = options.connection();
    Topic topic = TopicName.parse(name, connection.topics(), spec.commandLine());
    try (TopicReader reader = new TopicReader(connection)) {
      reader.read(topic, follow, this::print);
    }
    if (unreadable > 0) {
      terminal.err().println("berth: records that could not be read: " + unreadable);
      return ExitCode.FAILED;
    }
    return ExitCode.OK;
  }

  private boolean print(TopicRecord record) {
    unreadable += record.unreadable().isPresent() ? 1 : 0;
    output.next(terminal, () -> json(record), () -> output.wide() ? wide(record) : text(record));
    printed++;
    // A reader that has gone (head, less) wants no more.
    return printed < limit && !terminal.out().checkError();
  }

  private static String text(TopicRecord record) {
    return "%s  %s  %s"
        .formatted(
            record.at(),
            record.key().orElse("-"),
            record.unreadable().map(why -> "(" + why + ")").orElse(record.value().toString()));
  }

  /** With its place, which tools ask for, and its headers. */
  private static String wide(TopicRecord record) {
    return "%d-%d  %s  %s"
        .formatted(
            record.partition(),
            record.offset(),
            text(record),
            record.headers().isEmpty() ? "" : new TreeMap<>(record.headers()))
        .stripTrailing();
  }

  private static ObjectNode json(TopicRecord record) {
    ObjectNode line = JsonOutput.mapper().createObjectNode();
    line.put("partition", record.partition());
    line.put("offset", record.offset());
    line.put("at", record.at().toString());
    line.put("key", record.key().orElse(null));
    line.set("value", record.value());
    if (!record.headers().isEmpty()) {
      line.set("headers", JsonOutput.mapper().valueToTree(new TreeMap<>(record.headers())));
    }
    record.unreadable().ifPresent(why -> line.put("unreadable", why));
    return line;
  }
}
