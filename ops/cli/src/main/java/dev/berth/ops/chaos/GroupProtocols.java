package dev.berth.ops.chaos;

import java.util.Map;

/** How Streams instances and workers find their partitions. */
public enum GroupProtocols {
  /** The protocol of the clients, Berth's default. */
  CLASSIC("classic"),
  /** The broker's protocols: {@code streams} and {@code consumer}. */
  NEW("new");

  private final String word;

  GroupProtocols(String word) {
    this.word = word;
  }

  /** Classic for odd seeds, new for even ones: a set of seeds sees both. */
  public static GroupProtocols ofSeed(long seed) {
    return seed % 2 == 0 ? NEW : CLASSIC;
  }

  /** As it is shown. */
  public String word() {
    return word;
  }

  /** Settings of a Streams instance; the broker holds the sessions of the new protocols. */
  Map<String, String> ofStreams() {
    return this == NEW
        ? Map.of("group.protocol", "streams")
        : Map.of(
            "kafka.consumer.session.timeout.ms", "6000",
            "kafka.consumer.heartbeat.interval.ms", "1500");
  }

  /** Settings of a worker. */
  Map<String, String> ofWorkers() {
    return this == NEW ? Map.of("kafka.group.protocol", "consumer") : Map.of();
  }
}
