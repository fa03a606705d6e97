package dev.berth.schemas.topics;

import dev.berth.schemas.registry.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the catalogue to a cluster: creates the topics that are missing, registers the schema of
 * every topic with compatibility BACKWARD, and reports where existing topics differ. It can be run
 * again at any time, also by several at once; what exists is never changed.
 */
public final class Provisioning {

  private static final Logger log = LoggerFactory.getLogger(Provisioning.class);
  private static final Duration UNTIL_VISIBLE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Topics topics;
  private final Layout layout;
  private final Admin admin;

  /**
   * Prepares; nothing is sent yet.
   *
   * @param topics the catalogue under the deployment's prefix
   * @param layout partition counts and copies for topics that are missing
   * @param admin the cluster; stays open
   */
  public Provisioning(Topics topics, Layout layout, Admin admin) {
    this.topics = topics;
    this.layout = layout;
    this.admin = admin;
  }

  /**
   * Creates, registers and compares. Returns when every new topic can be used.
   *
   * @param registry where the schemas go; stays open
   * @throws ProvisioningException when the cluster refuses or does not answer
   * @throws dev.berth.schemas.registry.SchemaRefusedException when a schema is incompatible with
   *     the registered one
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the registry does not
   *     answer
   */
  public Provisioned run(Registry registry) {
    TopicPlan plan = compare();
    List<String> created = create(plan.missing());
    Map<String, Integer> ids = registry.provision(subjects(topics));
    plan.differences().forEach(difference -> log.warn("topic differs: {}", difference));
    log.info("topics provisioned prefix={} created={}", topics.prefix(), created.size());
    return new Provisioned(created, ids, plan.differences());
  }

  /**
   * Compares the cluster with the catalogue and changes nothing.
   *
   * @throws ProvisioningException when the cluster refuses or does not answer
   */
  public TopicPlan compare() {
    return TopicPlan.of(topics, layout, existing());
  }

  /** Returns the schema of every topic that has one, by its subject. */
  public static Map<String, Schema> subjects(Topics topics) {
    Map<String, Schema> subjects = new LinkedHashMap<>();
    for (Topic topic : Topic.values()) {
      topic.schema().ifPresent(schema -> subjects.put(topics.subject(topic), schema));
    }
    return subjects;
  }

  private Map<Topic, ExistingTopic> existing() {
    Set<String> present = get("list the topics", admin.listTopics().names());
    Map<Topic, String> ours = new EnumMap<>(Topic.class);
    for (Topic topic : Topic.values()) {
      if (present.contains(topics.name(topic))) {
        ours.put(topic, topics.name(topic));
      }
    }
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin.describeTopics(ours.values()).topicNameValues();
    Map<ConfigResource, KafkaFuture<Config>> configs =
        admin.describeConfigs(ours.values().stream().map(Provisioning::resource).toList()).values();
    Map<Topic, ExistingTopic> existing = new EnumMap<>(Topic.class);
    ours.forEach(
        (topic, name) ->
            existing(name, descriptions.get(name), configs.get(resource(name)))
                .ifPresent(found -> existing.put(topic, found)));
    return existing;
  }

  /** Returns nothing when the topic went away after it was listed. */
  private static Optional<ExistingTopic> existing(
      String name,
      @Nullable KafkaFuture<TopicDescription> description,
      @Nullable KafkaFuture<Config> config) {
    if (description == null || config == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          existing(
              get("describe topic " + name, description),
              get("read the settings of topic " + name, config)));
    } catch (ProvisioningException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static ExistingTopic existing(TopicDescription description, Config config) {
    int copies =
        description.partitions().stream()
            .mapToInt(partition -> partition.replicas().size())
            .min()
            .orElse(0);
    Map<String, String> settings = new HashMap<>();
    for (ConfigEntry entry : config.entries()) {
      if (entry.value() != null) {
        settings.put(entry.name(), entry.value());
      }
    }
    return new ExistingTopic(description.partitions().size(), copies, settings);
  }

  private List<String> create(Map<Topic, Integer> missing) {
    Map<String, NewTopic> wanted = new TreeMap<>();
    missing.forEach(
        (topic, count) -> {
          String name = topics.name(topic);
          wanted.put(
              name,
              new NewTopic(name, count, (short) layout.replicationFactor())
                  .configs(topic.configs()));
        });
    List<String> created = new ArrayList<>();
    admin
        .createTopics(wanted.values())
        .values()
        .forEach(
            (name, answer) -> {
              if (isCreated(name, answer)) {
                created.add(name);
              }
            });
    awaitVisible(wanted.keySet());
    return created;
  }

  /** Returns false when somebody else created it meanwhile. */
  private boolean isCreated(String name, KafkaFuture<Void> answer) {
    try {
      get("create topic " + name, answer);
      return true;
    } catch (ProvisioningException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      if (e.getCause() instanceof InvalidReplicationFactorException) {
        throw new ProvisioningException(
            "%s; set the replication factor (%d) to the number of brokers or less"
                .formatted(e.getMessage(), layout.replicationFactor()),
            e.getCause());
      }
      throw e;
    }
  }

  /** A Streams application that starts before its brokers know of a new topic gives up. */
  private void awaitVisible(Set<String> names) {
    long deadline = System.nanoTime() + UNTIL_VISIBLE.toNanos();
    while (!get("list the topics", admin.listTopics().names()).containsAll(names)) {
      if (System.nanoTime() > deadline) {
        throw new ProvisioningException(
            "new topics do not show within %d s: look at the brokers' logs"
                .formatted(UNTIL_VISIBLE.toSeconds()),
            new IllegalStateException("missing topics"));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProvisioningException("interrupted while new topics come up", e);
    }
  }

  private static ConfigResource resource(String name) {
    return new ConfigResource(ConfigResource.Type.TOPIC, name);
  }

  private static <T> T get(String what, KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new ProvisioningException("could not " + what + ": " + cause.getMessage(), cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProvisioningException("interrupted: could not " + what, e);
    }
  }
}
