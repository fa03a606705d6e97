package dev.berth.schemas.topics;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The catalogue under the prefix of one deployment: {@code <prefix>.<topic>}.
 *
 * @param prefix first part of every topic name: letters, digits, {@code . _ -}
 */
public record Topics(String prefix) {

  /** The prefix unless a deployment chooses another. */
  public static final String DEFAULT_PREFIX = "berth";

  private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  /**
   * Checks the prefix.
   *
   * @throws IllegalArgumentException if it cannot begin the name of a Kafka topic
   */
  public Topics {
    if (!LEGAL.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "topic prefix '"
              + prefix
              + "' is not usable: take 1 to 100 letters, digits, '.', '_' or '-', beginning with a"
              + " letter or digit");
    }
  }

  /** Returns the catalogue under the default prefix. */
  public static Topics withDefaultPrefix() {
    return new Topics(DEFAULT_PREFIX);
  }

  /** Returns the topic's name on the cluster. */
  public String name(Topic topic) {
    return prefix + "." + topic.suffix();
  }

  /** Returns the subject under which the registry knows the topic's values. */
  public String subject(Topic topic) {
    return name(topic) + "-value";
  }

  /** Returns the topic that has this name on the cluster; empty when none of ours has. */
  public Optional<Topic> find(String name) {
    return Arrays.stream(Topic.values()).filter(topic -> name(topic).equals(name)).findFirst();
  }
}
