package dev.berth.bench.failover;

import dev.berth.driver.calls.Call;
import dev.berth.ops.chaos.Cluster;
import dev.berth.ops.chaos.ClusterPlan;
import dev.berth.producers.Connection;
import dev.berth.schemas.topics.Keys;
import dev.berth.schemas.topics.Topic;
import dev.berth.streams.app.KafkaSettings;
import dev.berth.workers.kafka.KafkaClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/** Berth in processes of its own, one of which is killed at a time. For one thread. */
final class Deployment implements AutoCloseable {
  /** Workers (count). */
  static final int WORKERS = 2;

  /** How long a controller call takes at most; 5 ms at least. */
  static final Duration LONGEST_CALL = Duration.ofMillis(20);

  private static final String HEARTBEAT_MILLIS = "3000";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final String SWEEP = "transaction.abort.timed.out.transaction.cleanup.interval.ms";

  private final Cluster cluster;
  private final Admin admin;
  private final Map<Topic, Integer> partitions = new HashMap<>();
  private int standbys;

  /** Whether no instance holds stores that were another's before. */
  private boolean storesAreOwn = true;

  /**
   * Starts one for a first case.
   *
   * @param directory empty; short, since sockets are in it
   * @throws IllegalStateException when a process does not serve
   */
  Deployment(Path directory, Struck first) throws InterruptedException {
    standbys = first.standbys();
    cluster =
        Cluster.start(
            directory, ClusterPlan.withoutFaults(LONGEST_CALL, WORKERS, settings(standbys)));
    admin = Admin.create(Map.of("bootstrap.servers", connection().bootstrapServers()));
    try {
      count(Topic.ALLOC_EVENTS, Topic.LANE_REQUESTS, Topic.PLUGIN_WORK);
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** Berth's own settings, said again because a cluster has shorter sessions. */
  private static Map<String, String> settings(int standbys) {
    return Map.of(
        "standby.replicas",
        String.valueOf(standbys),
        "kafka.consumer.session.timeout.ms",
        String.valueOf(KafkaSettings.SESSION_TIMEOUT.toMillis()),
        "kafka.consumer.heartbeat.interval.ms",
        HEARTBEAT_MILLIS);
  }

  private void count(Topic... topics) throws InterruptedException {
    List<String> names = List.of(topics).stream().map(this::name).toList();
    try {
      admin
          .describeTopics(names)
          .allTopicNames()
          .get()
          .values()
          .forEach(
              topic ->
                  connection()
                      .topics()
                      .find(topic.name())
                      .ifPresent(found -> partitions.put(found, topic.partitions().size())));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the topics cannot be looked at", e);
    }
  }

  /** How clients reach it. */
  Connection connection() {
    return cluster.connection();
  }

  /** The calls that the plugins have seen so far. */
  List<Call> calls() {
    return cluster.calls();
  }

  /**
   * The timeouts in force.
   *
   * @throws IllegalStateException when the broker does not say
   */
  Timeouts timeouts() throws InterruptedException {
    ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, brokerId());
    try {
      ConfigEntry sweep =
          admin
              .describeConfigs(List.of(broker))
              .values()
              .values()
              .iterator()
              .next()
              .get()
              .get(SWEEP);
      return new Timeouts(
          KafkaClients.SESSION_TIMEOUT,
          KafkaSettings.SESSION_TIMEOUT,
          longer(KafkaClients.TRANSACTION_TIMEOUT, KafkaSettings.TRANSACTION_TIMEOUT),
          Duration.ofMillis(Long.parseLong(sweep.value())));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the settings of the broker cannot be looked at", e);
    }
  }

  private String brokerId() throws InterruptedException {
    try {
      return admin.describeCluster().nodes().get().iterator().next().idString();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the broker cannot be looked at", e);
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /**
   * Makes it ready for a case: all processes run, and Streams instances have stores as the case
   * wants them. Where nobody has a copy, those who take over must not have one from before.
   *
   * @throws IllegalStateException when a process does not get ready
   */
  void prepare(Struck next) throws InterruptedException {
    for (String name : processes()) {
      if (!cluster.child(name).isAlive()) {
        cluster.child(name).startAgain();
      }
    }
    if (next.standbys() != standbys || (standbys == 0 && !storesAreOwn)) {
      standbys = next.standbys();
      cluster.renewStreams(settings(standbys));
      storesAreOwn = true;
    }
    for (String name : processes()) {
      cluster.awaitReady(name);
    }
  }

  private List<String> processes() {
    List<String> names = new ArrayList<>(Cluster.STREAMS);
    names.addAll(cluster.workers());
    return names;
  }

  /**
   * Which process a case kills, once the groups have settled.
   *
   * @throws IllegalStateException when they do not
   */
  Victim victim(Struck struck) throws InterruptedException {
    return switch (struck) {
      case WORKER -> {
        Owners owners = settled(".pool", cluster.workers(), Topic.PLUGIN_WORK);
        String worker = owners.ofMost(name(Topic.PLUGIN_WORK));
        yield victim(worker, Set.of(), owners, Topic.PLUGIN_WORK);
      }
      case STREAMS_WITH_STANDBY, STREAMS_ALONE -> {
        Owners owners =
            settled("-streams", Cluster.STREAMS, Topic.ALLOC_EVENTS, Topic.LANE_REQUESTS);
        String instance = owners.ofMost(name(Topic.ALLOC_EVENTS));
        Set<Integer> volumes = owners.partitions(instance, name(Topic.ALLOC_EVENTS));
        yield victim(instance, volumes, owners, Topic.LANE_REQUESTS);
      }
      case BROKER ->
          new Victim(
              Cluster.BROKER,
              IntStream.range(0, partitions(Topic.ALLOC_EVENTS))
                  .boxed()
                  .collect(Collectors.toSet()),
              Set.copyOf(Cluster.PLUGIN_IDS),
              partitions(Topic.ALLOC_EVENTS));
    };
  }

  /** One that serves the plugins whose key leads to a partition of a topic that it has. */
  private Victim victim(String process, Set<Integer> volumes, Owners owners, Topic lanes) {
    Set<Integer> own = owners.partitions(process, name(lanes));
    Set<String> plugins = new HashSet<>(Cluster.PLUGIN_IDS);
    plugins.removeIf(plugin -> !own.contains(Keys.partition(plugin, partitions(lanes))));
    return new Victim(process, volumes, plugins, partitions(Topic.ALLOC_EVENTS));
  }

  private Owners settled(String group, List<String> processes, Topic... topics)
      throws InterruptedException {
    String id = connection().topics().prefix() + group;
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var owners = Owners.of(admin, id, processes);
      if (owners.isPresent()
          && List.of(topics).stream()
              .allMatch(topic -> owners.get().haveAll(name(topic), partitions(topic)))) {
        return owners.get();
      }
      TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
    }
    throw new IllegalStateException(
        "group %s did not settle within %d s".formatted(id, PATIENCE.toSeconds()));
  }

  /**
   * Kills it; a broker is started again at once, others stay away until the next {@link #prepare}.
   *
   * @return how long the broker was away; zero for others
   */
  Duration kill(Victim victim) throws InterruptedException {
    long began = System.nanoTime();
    cluster.child(victim.process()).kill();
    if (!victim.process().equals(Cluster.BROKER)) {
      storesAreOwn &= !Cluster.STREAMS.contains(victim.process());
      return Duration.ZERO;
    }
    cluster.child(Cluster.BROKER).startAgain();
    cluster.child(Cluster.BROKER).awaitReady();
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Where the logs of the Streams instances end now, by instance. */
  Map<String, Long> logEnds() {
    return Cluster.STREAMS.stream()
        .collect(Collectors.toMap(name -> name, name -> Restored.end(cluster.log(name))));
  }

  /** What was restored since the logs had ended somewhere. */
  Restored restoredSince(Map<String, Long> ends) {
    return ends.entrySet().stream()
        .map(end -> Restored.since(cluster.log(end.getKey()), end.getValue()))
        .reduce(Restored.NOTHING, Restored::plus);
  }

  private String name(Topic topic) {
    return connection().topics().name(topic);
  }

  private int partitions(Topic topic) {
    return partitions.getOrDefault(topic, 0);
  }

  @Override
  public void close() {
    admin.close();
    cluster.close();
  }
}
