package dev.berth.streams.ownership;

import java.util.Optional;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/**
 * The topic that a group commits offsets of where it has no others, see {@link FencedProducer}.
 * Nothing is written to it and nobody reads it, so that a group never lags behind on it.
 *
 * @param applicationId {@code application.id} of Kafka Streams, whose topics have names that begin
 *     with it
 * @param replicas copies of it (count); -1 leaves it to the brokers
 */
public record FenceTopic(String applicationId, int replicas) {

  /** Its name. Fixed: offsets of another topic would be left behind in the group. */
  public String name() {
    return applicationId + "-fence";
  }

  /** Its one partition. */
  public TopicPartition partition() {
    return new TopicPartition(name(), 0);
  }

  /** How it is made. */
  public NewTopic toMake() {
    return new NewTopic(
        name(),
        Optional.of(1),
        replicas < 0 ? Optional.empty() : Optional.of(Integer.valueOf(replicas).shortValue()));
  }
}
