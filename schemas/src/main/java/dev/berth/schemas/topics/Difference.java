package dev.berth.schemas.topics;

/**
 * A topic that exists and is not as the catalogue wants it.
 *
 * @param topic name on the cluster
 * @param setting what differs: {@code partitions}, {@code replication.factor} or a topic setting
 * @param expected the value the catalogue wants
 * @param found the value found
 * @param blocking whether Berth would work wrongly with it, so that it must not start
 * @param remedy what to do, for people
 */
public record Difference(
    String topic, String setting, String expected, String found, boolean blocking, String remedy) {

  @Override
  public String toString() {
    return "%s: %s is %s, expected %s; %s".formatted(topic, setting, found, expected, remedy);
  }
}
