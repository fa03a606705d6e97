package dev.berth.streams.app;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.registry.SchemaRefusedException;
import dev.berth.schemas.topics.Difference;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Partitioning;
import dev.berth.schemas.topics.Party;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import dev.berth.schemas.topics.TransactionVersion;
import dev.berth.streams.ownership.FenceTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What has to be true before the application starts, because Kafka Streams would not notice that it
 * is not: topics of the catalogue with their cleanup, equal partition counts where records are read
 * together, brokers whose transactions cannot be fooled by a late producer (transaction.version 2),
 * and a registry that has the schemas of the changelogs. What is merely away is waited for.
 */
final class StartupChecks {
  private static final Logger LOG = LoggerFactory.getLogger(StartupChecks.class);
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(2);
  private static final Set<Party> OURS =
      Set.of(Party.VOLUME_CLAIMS, Party.LANES, Party.CLUSTER, Party.API);
  private static final String REGISTRY = "the schema registry";

  private final Topics topics;
  private final Map<String, Schema> changelogs;
  private final FenceTopic fence;
  private final Admin admin;
  private final Registry registry;
  private final Pause pause;
  private final Consumer<String> progress;

  /**
   * Prepares; nothing is asked yet.
   *
   * @param changelogs schemas of the changelogs by their subjects
   * @param fence made when it is not there
   * @param pause waits between two tries
   * @param progress told what is waited for
   */
  StartupChecks(
      Topics topics,
      Map<String, Schema> changelogs,
      FenceTopic fence,
      Admin admin,
      Registry registry,
      Pause pause,
      Consumer<String> progress) {
    this.topics = topics;
    this.changelogs = changelogs;
    this.fence = fence;
    this.admin = admin;
    this.registry = registry;
    this.pause = pause;
    this.progress = progress;
  }

  /**
   * The partition counts that the topology is built for.
   *
   * @param volume of topics keyed by volume (count)
   * @param lane of the topics that Lanes reads (count)
   */
  record Partitions(int volume, int lane) {}

  /**
   * Checks, and waits while brokers or registry do not answer.
   *
   * @return the partition counts found; empty when the application is being closed
   * @throws StartupRefusedException with every problem that somebody has to solve
   */
  Optional<Partitions> run() {
    if (!await(REGISTRY, this::registryAnswers)) {
      return Optional.empty();
    }
    Optional<Found> found = awaitBrokers(this::look);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    List<String> problems = problems(topics, found.get().plan(), found.get().transactions());
    if (!problems.isEmpty()) {
      throw new StartupRefusedException(problems);
    }
    found.get().plan().differences().forEach(each -> LOG.warn("topic differs: {}", each));
    Optional<Partitions> partitions = awaitBrokers(this::partitions);
    // Last: a cluster that is refused is left as it was.
    if (partitions.isEmpty() || !await(REGISTRY, this::schemasKnown)) {
      return Optional.empty();
    }
    return awaitBrokers(
        () -> {
          makeFence();
          return partitions.get();
        });
  }

  /**
   * What the brokers said.
   *
   * @param plan how the topics differ from the catalogue
   * @param transactions version of their transactions
   */
  private record Found(TopicPlan plan, TransactionVersion transactions) {}

  private Found look() {
    return new Found(
        new Provisioning(topics, Layout.replicated(1), admin).compare(),
        TransactionVersion.among(
            get(admin.describeFeatures().featureMetadata()).finalizedFeatures()));
  }

  private Partitions partitions() {
    return new Partitions(partitions(Partitioning.VOLUME), partitions(Partitioning.LANE));
  }

  /** What keeps the application from starting; pure. */
  static List<String> problems(Topics topics, TopicPlan plan, TransactionVersion transactions) {
    List<String> problems = new ArrayList<>();
    if (!plan.missing().isEmpty()) {
      List<String> names = plan.missing().keySet().stream().map(topics::name).toList();
      problems.add(
          "topics are missing: %s; provision the topics, or set topic.prefix to the one they have"
              .formatted(String.join(", ", names)));
    }
    plan.differences().stream()
        .filter(Difference::blocking)
        .map(Difference::toString)
        .forEach(problems::add);
    if (!transactions.enough()) {
      problems.add(
          "%s, and %s; run %s"
              .formatted(transactions.text(), transactions.danger(), transactions.remedy()));
    }
    return problems;
  }

  /** Asks until it answers; false when the application is being closed. */
  private boolean await(String whom, BooleanSupplier answers) {
    while (!answers.getAsBoolean()) {
      progress.accept("waiting for " + whom);
      if (!pause.elapse(BETWEEN_TRIES)) {
        return false;
      }
    }
    return true;
  }

  private boolean registryAnswers() {
    return registryDoes(() -> registry.awaitAvailable(Duration.ZERO));
  }

  /**
   * Not left to the first write: stream threads would register them at the same time, without a
   * rule for what follows, and a schema that cannot read the state would be found in the middle of
   * a transaction.
   */
  private boolean schemasKnown() {
    return registryDoes(
        () -> {
          registry.ensure(changelogs);
          learnTopics();
        });
  }

  /**
   * What is learnt here is known when the registry is away: an id for each record that is written,
   * and every version of each that is read, rows of the stores included.
   */
  private void learnTopics() {
    Set<String> read = new HashSet<>(changelogs.keySet());
    for (Topic topic : Topic.values()) {
      String subject = Registry.valueSubject(topics.name(topic));
      if (topic.schema().isPresent() && isOurs(topic.writers())) {
        registry.idFor(subject, topic.schema().get());
      }
      if (isOurs(topic.readers())) {
        read.add(subject);
      }
    }
    registry.learn(read);
  }

  private static boolean isOurs(Set<Party> parties) {
    return !Collections.disjoint(parties, OURS);
  }

  private boolean registryDoes(Runnable request) {
    try {
      request.run();
      return true;
    } catch (SchemaRefusedException e) {
      throw new StartupRefusedException(List.of(String.valueOf(e.getMessage())));
    } catch (RegistryUnavailableException e) {
      LOG.warn("waiting for the schema registry registry={}: {}", registry, e.getMessage());
      return false;
    }
  }

  /**
   * Asks the brokers until they answer: they may go away between two questions as well as before
   * the first.
   *
   * @return empty when the application is being closed
   */
  private <T> Optional<T> awaitBrokers(Supplier<T> question) {
    AtomicReference<@Nullable T> answer = new AtomicReference<>();
    await(
        "the brokers",
        () -> {
          try {
            answer.set(question.get());
            return true;
          } catch (RuntimeException e) {
            if (Fault.of(e) != Fault.OUTAGE) {
              throw e;
            }
            LOG.warn("waiting for the brokers: {}", e.getMessage());
            return false;
          }
        });
    return Optional.ofNullable(answer.get());
  }

  private void makeFence() {
    try {
      get(admin.createTopics(List.of(fence.toMake())).all());
    } catch (TopicExistsException e) {
      LOG.debug("topic is there topic={}", fence.name());
    }
  }

  private int partitions(Partitioning partitioning) {
    String name =
        List.of(Topic.values()).stream()
            .filter(topic -> topic.partitioning() == partitioning)
            .map(topics::name)
            .findFirst()
            .orElseThrow();
    return get(admin.describeTopics(List.of(name)).allTopicNames()).values().stream()
        .mapToInt(description -> description.partitions().size())
        .findFirst()
        .orElseThrow();
  }

  private static <T> T get(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof RuntimeException known
          ? known
          : new IllegalStateException("the brokers' answer cannot be used: " + cause, cause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while asking the brokers", e);
    }
  }
}
