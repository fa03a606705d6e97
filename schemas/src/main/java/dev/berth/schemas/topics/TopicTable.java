package dev.berth.schemas.topics;

import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

/** The catalogue as documentation. */
public final class TopicTable {

  private static final String HEAD =
      """
      # Topics

      Made from `dev.berth.schemas.topics.Topic`; do not edit. A name on the cluster is `<prefix>.<name>`, with the
      prefix `berth` unless a deployment chooses another. Keys are UTF-8 strings. Values are Avro in Confluent's wire
      format under the subject `<topic>-value`, compatibility BACKWARD; those of `rejected-records` are bytes as they
      came. Topics marked (=) have equally many partitions where they are spread by the same part of the key: their
      counts are set together or not at all.

      | name | key | value | partitions | cleanup | written by | read by | purpose |
      |---|---|---|---|---|---|---|---|
      """;

  private TopicTable() {}

  /** Returns the whole catalogue as a Markdown page. */
  public static String markdown() {
    StringBuilder page = new StringBuilder(HEAD);
    for (Topic topic : Topic.values()) {
      page.append(line(topic));
    }
    return page.toString();
  }

  private static String line(Topic topic) {
    return "| `%s` | %s | %s | %s | %s | %s | %s | %s |%n"
        .formatted(
            topic.suffix(),
            topic.key(),
            topic.record().map(type -> "`" + type.getSimpleName() + "`").orElse("bytes"),
            partitions(topic.partitioning()),
            topic.retention().inWords(),
            labels(topic.writers()),
            labels(topic.readers()),
            topic.purpose())
        .replace(System.lineSeparator(), "\n");
  }

  private static String partitions(Partitioning partitioning) {
    return partitioning == Partitioning.CLUSTER
        ? "1"
        : "%d%s by %s"
            .formatted(
                partitioning.defaultCount(), partitioning.equal() ? " (=)" : "", partitioning.by());
  }

  private static String labels(Set<Party> parties) {
    return parties.stream()
        .sorted(Comparator.naturalOrder())
        .map(Party::label)
        .collect(Collectors.joining(", "));
  }
}
