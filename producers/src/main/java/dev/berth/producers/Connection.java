package dev.berth.producers;

import dev.berth.schemas.registry.RegistryConfig;
import dev.berth.schemas.topics.Topics;
import java.util.HashMap;
import java.util.Map;

/**
 * How to reach Berth's topics.
 *
 * @param bootstrapServers Kafka brokers, {@code host:port} separated by commas
 * @param registry settings of the schema registry, see {@link RegistryConfig}
 * @param topics the catalogue under the deployment's prefix
 * @param kafka further settings of Kafka clients, such as those of security; they cannot weaken
 *     what the library's guarantees rest on. May hold secrets, therefore never printed
 */
public record Connection(
    String bootstrapServers,
    Map<String, String> registry,
    Topics topics,
    Map<String, String> kafka) {

  /** Copies its collections. */
  public Connection {
    registry = Map.copyOf(registry);
    kafka = Map.copyOf(kafka);
  }

  /** A connection without security, under the default prefix. */
  public static Connection to(String bootstrapServers, String registryUrl) {
    return new Connection(
        bootstrapServers,
        Map.of(RegistryConfig.URL, registryUrl),
        Topics.withDefaultPrefix(),
        Map.of());
  }

  /** The same to the topics of another deployment. */
  public Connection withPrefix(String prefix) {
    return new Connection(bootstrapServers, registry, new Topics(prefix), kafka);
  }

  /** The same with further settings of Kafka clients. */
  public Connection withKafka(Map<String, String> settings) {
    Map<String, String> merged = new HashMap<>(kafka);
    merged.putAll(settings);
    return new Connection(bootstrapServers, registry, topics, merged);
  }

  /** The same with further settings of the schema registry's client. */
  public Connection withRegistry(Map<String, String> settings) {
    Map<String, String> merged = new HashMap<>(registry);
    merged.putAll(settings);
    return new Connection(bootstrapServers, merged, topics, kafka);
  }

  @Override
  public String toString() {
    return "Connection[bootstrapServers="
        + bootstrapServers
        + ", registry="
        + RegistryConfig.parse(registry).displayUrls()
        + ", prefix="
        + topics.prefix()
        + "]";
  }
}
