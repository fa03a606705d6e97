package dev.berth.ops.doctor;

import dev.berth.ops.topics.ClusterAdmin;
import dev.berth.ops.topics.TopicContent;
import dev.berth.producers.Connection;
import dev.berth.records.Policy;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.ProvisioningException;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.TopicPlan;
import dev.berth.schemas.topics.Topics;
import dev.berth.schemas.topics.TransactionVersion;
import dev.berth.streams.policy.DurationText;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicCollection;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Asks the brokers; each question that they do not answer is a finding of its own. */
final class BrokerExamination {
  private static final String RPC_TIMEOUT = "rpc-timeout";
  private static final List<Topic> WORK =
      List.of(Topic.PLUGIN_WORK, Topic.NODE_WORK, Topic.WORK_ACCEPTANCES, Topic.WORK_OUTCOMES);

  private final Connection connection;
  private final Admin admin;
  private final InstantSource clock;
  private final List<Check> checks = new ArrayList<>();

  private BrokerExamination(Connection connection, Admin admin, InstantSource clock) {
    this.connection = connection;
    this.admin = admin;
    this.clock = clock;
  }

  /** Looks at brokers and topics. */
  static List<Check> run(Connection connection, InstantSource clock) throws InterruptedException {
    try (Admin admin = ClusterAdmin.open(connection)) {
      BrokerExamination examination = new BrokerExamination(connection, admin, clock);
      examination.run();
      return examination.checks;
    } catch (KafkaException | ExecutionException | TimeoutException e) {
      return List.of(
          Check.wrong(
              "brokers",
              "no answer from %s: %s".formatted(connection.bootstrapServers(), words(e)),
              "start them, or name others with --bootstrap-servers"));
    }
  }

  /** Something that is asked. */
  @FunctionalInterface
  private interface Asking {
    List<Check> ask() throws InterruptedException, ExecutionException, TimeoutException;
  }

  private void run() throws InterruptedException, ExecutionException, TimeoutException {
    Collection<Node> nodes = get(admin.describeCluster().nodes());
    checks.add(Check.ok("brokers", nodes.size() + " answer"));
    Topics topics = connection.topics();
    look(
        "transactions",
        () ->
            List.of(
                ClusterChecks.transactions(
                    TransactionVersion.among(
                        get(admin.describeFeatures().featureMetadata()).finalizedFeatures()))));
    look(
        "topics",
        () -> {
          TopicPlan plan = new Provisioning(topics, Layout.replicated(1), admin).compare();
          return ClusterChecks.topics(topics, plan);
        });
    look("replication", () -> ClusterChecks.replication(described(false)));
    checks.add(ClusterChecks.partitioner(connection.kafka()));
    look("ACLs", this::access);
    look("timeouts", () -> timeouts(nodes));
    look("clock", this::clock);
    look("groups", () -> GroupExamination.run(admin, topics.prefix()));
  }

  private void look(String name, Asking asking) throws InterruptedException {
    try {
      checks.addAll(asking.ask());
    } catch (KafkaException | ProvisioningException | ExecutionException | TimeoutException e) {
      checks.add(
          Check.warning(
              name,
              "not answered: " + words(e),
              "let this command look: berth topics acl operator; or look at the brokers' logs"));
    }
  }

  private List<Check> access() throws InterruptedException, ExecutionException, TimeoutException {
    try {
      return AccessChecks.granted(
          connection.topics(), get(admin.describeAcls(AclBindingFilter.ANY).values()));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SecurityDisabledException) {
        return List.of(AccessChecks.none());
      } else if (e.getCause() instanceof ClusterAuthorizationException) {
        return AccessChecks.own(described(true), connection.topics());
      }
      throw e;
    }
  }

  private List<Check> timeouts(Collection<Node> nodes)
      throws InterruptedException, ExecutionException, TimeoutException {
    List<Check> found = new ArrayList<>();
    for (Node node : nodes) {
      Map<String, String> broker =
          settings(new ConfigResource(ConfigResource.Type.BROKER, node.idString()));
      found.addAll(TimeoutChecks.transactions(broker));
      found.addAll(TimeoutChecks.sessions(broker, connection.kafka()));
    }
    Map<String, Duration> kept = new TreeMap<>();
    List<String> there = existing();
    for (Topic topic : WORK) {
      String name = connection.topics().name(topic);
      if (there.contains(name)) {
        long millis =
            Long.parseLong(
                settings(new ConfigResource(ConfigResource.Type.TOPIC, name))
                    .getOrDefault("retention.ms", "-1"));
        kept.put(name, millis < 0 ? Duration.ofSeconds(Long.MAX_VALUE) : Duration.ofMillis(millis));
      }
    }
    Duration call = longestCall();
    found.addAll(TimeoutChecks.calls(call, kept));
    return found.isEmpty()
        ? List.of(
            Check.ok(
                "timeouts",
                "transactions, sessions and retention fit; the longest call may take %d s"
                    .formatted(call.toSeconds())))
        : found.stream().distinct().toList();
  }

  /** The longest time that any policy gives a call. */
  private Duration longestCall() {
    try (TopicContent content = new TopicContent(connection)) {
      Duration own = Policies.DEFAULTS.byDefault().rpcTimeout();
      return content.table(Topic.POLICIES, Policy.class).values().stream()
          .flatMap(policy -> Stream.ofNullable(policy.getSettings().get(RPC_TIMEOUT)))
          .flatMap(text -> DurationText.parse(text).stream())
          .reduce(own, (one, other) -> one.compareTo(other) > 0 ? one : other);
    }
  }

  /** The leader of the controllers tells its own clock as the time up to which it has caught up. */
  private List<Check> clock() throws InterruptedException, ExecutionException, TimeoutException {
    Instant asked = clock.instant();
    QuorumInfo quorum = get(admin.describeMetadataQuorum().quorumInfo());
    Instant answered = clock.instant();
    return quorum.voters().stream()
        .filter(voter -> voter.replicaId() == quorum.leaderId())
        .filter(voter -> voter.lastCaughtUpTimestamp().orElse(-1) > 0)
        .map(
            voter ->
                ClockChecks.of(
                    "controller " + voter.replicaId(),
                    asked,
                    Instant.ofEpochMilli(voter.lastCaughtUpTimestamp().orElseThrow()),
                    answered))
        .toList();
  }

  private Map<String, String> settings(ConfigResource resource)
      throws InterruptedException, ExecutionException, TimeoutException {
    Config config = get(admin.describeConfigs(List.of(resource)).all()).get(resource);
    return config == null
        ? Map.of()
        : config.entries().stream()
            .filter(entry -> entry.value() != null)
            .collect(Collectors.toMap(ConfigEntry::name, ConfigEntry::value));
  }

  private Collection<TopicDescription> described(boolean authorized)
      throws InterruptedException, ExecutionException, TimeoutException {
    return get(admin
            .describeTopics(
                TopicCollection.ofTopicNames(existing()),
                new DescribeTopicsOptions().includeAuthorizedOperations(authorized))
            .allTopicNames())
        .values();
  }

  private List<String> existing()
      throws InterruptedException, ExecutionException, TimeoutException {
    var there = get(admin.listTopics().names());
    return Stream.of(Topic.values())
        .map(connection.topics()::name)
        .filter(there::contains)
        .toList();
  }

  static <T> T get(KafkaFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(2 * ClusterAdmin.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static String words(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
