package dev.berth.ops.doctor;

import dev.berth.ops.api.ApiClient;
import dev.berth.ops.api.ApiFailedException;
import dev.berth.ops.api.Reads;
import dev.berth.producers.Connection;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.Plugin;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.registry.RegistryUnavailableException;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Looks at a whole deployment; what cannot be reached is a finding like others. */
public final class Examination {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Connection connection;
  private final ApiClient api;
  private final Consumer<String> progress;

  /**
   * Prepares.
   *
   * @param progress told what is looked at, in words
   */
  public Examination(Connection connection, ApiClient api, Consumer<String> progress) {
    this.connection = connection;
    this.api = api;
    this.progress = progress;
  }

  /** Looks at brokers, topics, registry, API, plugins and claims. */
  public List<Check> run() throws InterruptedException {
    List<Check> checks = new ArrayList<>();
    progress.accept("looking at brokers and topics");
    checks.addAll(cluster());
    progress.accept("looking at the schema registry");
    checks.add(registry());
    progress.accept("looking at the API and the plugins");
    checks.addAll(api());
    return checks;
  }

  private List<Check> cluster() throws InterruptedException {
    Map<String, Object> settings = new HashMap<>(connection.kafka());
    settings.put("bootstrap.servers", connection.bootstrapServers());
    settings.putIfAbsent("default.api.timeout.ms", (int) PATIENCE.toMillis());
    settings.putIfAbsent("request.timeout.ms", (int) PATIENCE.toMillis() / 2);
    try (Admin admin = Admin.create(settings)) {
      List<Check> checks = new ArrayList<>();
      checks.add(Check.ok("brokers", get(admin.describeCluster().nodes()).size() + " answer"));
      checks.add(
          ClusterChecks.transactions(
              Optional.ofNullable(
                      get(admin.describeFeatures().featureMetadata())
                          .finalizedFeatures()
                          .get("transaction.version"))
                  .map(range -> range.maxVersionLevel())));
      checks.addAll(
          ClusterChecks.topics(
              connection.topics(),
              new Provisioning(connection.topics(), Layout.replicated(1), admin).compare()));
      checks.addAll(
          ClusterChecks.replication(
              get(admin.describeTopics(existing(admin)).allTopicNames()).values()));
      return checks;
    } catch (KafkaException | ExecutionException | TimeoutException e) {
      return List.of(
          Check.wrong(
              "brokers",
              "no answer from %s: %s".formatted(connection.bootstrapServers(), words(e)),
              "start them, or name others with --bootstrap-servers"));
    }
  }

  private List<String> existing(Admin admin)
      throws InterruptedException, ExecutionException, TimeoutException {
    Topics topics = connection.topics();
    var there = get(admin.listTopics().names());
    return Stream.of(Topic.values()).map(topics::name).filter(there::contains).toList();
  }

  private Check registry() {
    try (Registry registry = Registry.connect(connection.registry())) {
      registry.awaitAvailable(Duration.ZERO);
      return Check.ok("registry", "it answers");
    } catch (RegistryUnavailableException e) {
      return Check.wrong(
          "registry",
          String.valueOf(e.getMessage()),
          "start it, or name another with --registry; Berth does not start without it");
    }
  }

  private List<Check> api() {
    Reads reads = new Reads(api, false);
    try {
      List<Plugin> plugins = reads.plugins(ListPluginsRequest.getDefaultInstance()).entries();
      List<Check> checks = new ArrayList<>();
      checks.add(Check.ok("API", api.address() + " answers, and for all partitions"));
      checks.addAll(ApiChecks.plugins(plugins));
      checks.add(ApiChecks.stuck(reads.stuck(ListStuckRequest.getDefaultInstance()).entries()));
      return checks;
    } catch (ApiFailedException e) {
      return List.of(
          Check.wrong("API", String.valueOf(e.getMessage()), "berth streams starts an instance"));
    }
  }

  private static <T> T get(KafkaFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(2 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static String words(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
