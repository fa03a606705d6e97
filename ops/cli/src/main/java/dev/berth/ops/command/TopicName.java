package dev.berth.ops.command;

import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** A topic of the catalogue as people name it. */
final class TopicName {

  private TopicName() {}

  /**
   * The topic with this name, with or without the prefix.
   *
   * @throws ParameterException of {@code command} if there is none, naming those there are
   */
  static Topic parse(String name, Topics topics, CommandLine command) {
    return Arrays.stream(Topic.values())
        .filter(topic -> name.equals(topic.suffix()) || name.equals(topics.name(topic)))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    command,
                    "no topic '%s'; there are %s"
                        .formatted(
                            name,
                            Arrays.stream(Topic.values())
                                .map(Topic::suffix)
                                .collect(Collectors.joining(", ")))));
  }
}
