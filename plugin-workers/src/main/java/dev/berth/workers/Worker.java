package dev.berth.workers;

import dev.berth.records.Acceptance;
import dev.berth.records.LaneStatus;
import dev.berth.records.NodeView;
import dev.berth.records.Outcome;
import dev.berth.records.PluginInstance;
import dev.berth.records.PluginListing;
import dev.berth.records.PluginRole;
import dev.berth.records.SecretsFound;
import dev.berth.records.Work;
import dev.berth.schemas.headers.Step;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import dev.berth.telemetry.Meters;
import dev.berth.telemetry.StatusServer;
import dev.berth.workers.accept.AcceptLoop;
import dev.berth.workers.accept.ServedNode;
import dev.berth.workers.call.CallPool;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.config.WorkerConfig;
import dev.berth.workers.config.WorkerRole;
import dev.berth.workers.csi.CsiCaller;
import dev.berth.workers.csi.IncarnationCheck;
import dev.berth.workers.csi.PluginEndpoints;
import dev.berth.workers.discovery.Discovery;
import dev.berth.workers.discovery.KafkaPluginTopic;
import dev.berth.workers.discovery.PluginTopic;
import dev.berth.workers.kafka.KafkaClients;
import dev.berth.workers.listing.Listings;
import dev.berth.workers.metrics.LateSendCount;
import dev.berth.workers.metrics.MeteredCaller;
import dev.berth.workers.node.NodeViews;
import dev.berth.workers.outcome.ReportWriter;
import dev.berth.workers.secrets.ConfigProviderSecrets;
import dev.berth.workers.secrets.MissingSecrets;
import dev.berth.workers.secrets.SecretWatch;
import dev.berth.workers.time.Clocks;
import io.micrometer.core.instrument.Gauge;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: accepts work for its plugin endpoints, calls the plugins, reports what became of each
 * call, and publishes the endpoints' health.
 *
 * <p>{@link #start} returns at once; {@link #close} takes no more work, waits for the open calls
 * and leaves its groups.
 */
public final class Worker implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final Duration POLLS_AT_LEAST_EVERY = Duration.ofSeconds(30);

  /** Longer than whatever the clients wait for the cluster in one go (60 s, and 30 s to close). */
  private static final Duration COMES_ROUND_EVERY = Duration.ofMinutes(2);

  /** A report that takes longer is worth telling. */
  private static final Duration WRITTEN_WITHIN = Duration.ofSeconds(10);

  private final WorkerConfig config;
  private final CallPool calls;
  private final SecretWatch secretWatch;
  private final Discovery discovery;
  private final Listings listings;
  private final WorkerCondition condition;
  private final Meters meters;
  private final ReportWriter reports;

  private volatile Optional<StatusServer> status = Optional.empty();

  /** By route. */
  private final Map<String, AcceptLoop> loops = new TreeMap<>();

  /** What to close, the last first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /**
   * Prepares a worker; nothing is connected yet.
   *
   * @throws IllegalArgumentException naming the setting that cannot be used
   */
  public Worker(WorkerConfig config) {
    this(config, Clocks.system());
  }

  /**
   * Prepares a worker; nothing is connected yet.
   *
   * @param config what it is told
   * @param clocks clocks of the process
   * @throws IllegalArgumentException naming the setting that cannot be used
   */
  public Worker(WorkerConfig config, Clocks clocks) {
    this.config = config;
    this.meters = toClose(new Meters());
    KafkaClients kafka = new KafkaClients(config, meters.registry());
    ConfigProviderSecrets secrets = toClose(ConfigProviderSecrets.of(config.secretProviders()));
    Registry registry = toClose(Registry.connect(config.registry()));
    PluginEndpoints endpoints = toClose(PluginEndpoints.of(config));
    reports = toClose(new ReportWriter(kafka::persistent, clocks));
    AvroSerde<Outcome> outcomes = AvroSerde.of(registry, Outcome.class);
    MissingSecrets missing = new MissingSecrets(secrets);
    IncarnationCheck incarnations = incarnations(kafka, registry, clocks);
    this.calls =
        toClose(
            new CallPool(
                config.maxOpenCalls(),
                MeteredCaller.over(
                    new CsiCaller(
                        endpoints,
                        secrets,
                        missing,
                        incarnations,
                        new LateSendCount(meters.registry()),
                        clocks),
                    meters.registry()),
                (outcome, times) ->
                    reports.write(
                        config.topics().name(Topic.WORK_OUTCOMES),
                        outcome.getPlugin(),
                        outcome,
                        outcomes.serializer(),
                        () -> times.with(Step.REPORTED, clocks.read().wall()).headers()),
                clocks,
                config.drainTimeout()));
    prepareLoops(kafka, registry, clocks);
    this.secretWatch =
        toClose(new SecretWatch(missing, foundSecrets(registry, reports, clocks), clocks));
    this.discovery = toClose(discovery(kafka, registry, endpoints, reports, clocks));
    this.listings = toClose(listings(registry, reports, clocks));
    this.condition =
        new WorkerCondition(
            this::goesOn,
            this::polls,
            () -> loops.values().stream().allMatch(AcceptLoop::isSettled),
            discovery::endpoints,
            this::waiting);
    gauges();
  }

  private void gauges() {
    Gauge.builder("berth.ready", () -> condition.readiness().good() ? 1 : 0)
        .description("1 while work is accepted and a plugin is well")
        .register(meters.registry());
    Gauge.builder("berth.open.attempts", calls::open)
        .description("Attempts that are open")
        .register(meters.registry());
    Gauge.builder("berth.plugin.endpoints", () -> discovery.endpoints(true).size())
        .description("Endpoints of plugins, by whether they were well when last looked at")
        .tag("well", "true")
        .register(meters.registry());
    Gauge.builder("berth.plugin.endpoints", () -> discovery.endpoints(false).size())
        .description("Endpoints of plugins, by whether they were well when last looked at")
        .tag("well", "false")
        .register(meters.registry());
  }

  private IncarnationCheck incarnations(KafkaClients kafka, Registry registry, Clocks clocks) {
    Set<String> nodes =
        config.endpoints().stream()
            .filter(endpoint -> endpoint.role() == PluginRole.NODE)
            .map(EndpointConfig::node)
            .collect(Collectors.toSet());
    return nodes.isEmpty()
        ? IncarnationCheck.none()
        : toClose(
            new NodeViews(
                nodes,
                config.topics().name(Topic.NODE_VIEWS),
                kafka::reader,
                AvroSerde.of(registry, NodeView.class).deserializer(),
                clocks));
  }

  private void prepareLoops(KafkaClients kafka, Registry registry, Clocks clocks) {
    AcceptLoop.Serdes serdes =
        new AcceptLoop.Serdes(
            AvroSerde.of(registry, Work.class),
            AvroSerde.of(registry, LaneStatus.class),
            AvroSerde.of(registry, Acceptance.class));
    Optional<ServedNode> node =
        config.role() instanceof WorkerRole.OneNode one
            ? Optional.of(ServedNode.of(one.node(), config.endpoints()))
            : Optional.empty();
    workTopics()
        .forEach(
            (route, topics) ->
                loops.put(
                    route,
                    toClose(
                        AcceptLoop.of(
                            route,
                            node,
                            topics,
                            kafka,
                            serdes,
                            calls,
                            clocks,
                            () -> UUID.randomUUID().toString(),
                            () -> learnSchemas(registry)))));
  }

  private BiConsumer<String, List<String>> foundSecrets(
      Registry registry, ReportWriter reports, Clocks clocks) {
    AvroSerde<SecretsFound> serde = AvroSerde.of(registry, SecretsFound.class);
    return (plugin, references) -> {
      // Nobody waits for it: the calls are tried again all the same, only later.
      var unused =
          reports.write(
              config.topics().name(Topic.SECRETS_FOUND),
              plugin,
              new SecretsFound(plugin, references, config.workerId(), clocks.read().wall()),
              serde.serializer());
    };
  }

  /** What is learnt here is known when the registry is away. */
  private void learnSchemas(Registry registry) {
    for (Topic topic :
        List.of(
            Topic.WORK_ACCEPTANCES,
            Topic.WORK_OUTCOMES,
            Topic.SECRETS_FOUND,
            Topic.PLUGIN_LISTINGS,
            Topic.PLUGINS)) {
      registry.idFor(subject(topic), topic.schema().orElseThrow());
    }
    registry.learn(
        List.of(
            subject(Topic.PLUGIN_WORK),
            subject(Topic.NODE_WORK),
            subject(Topic.LANE_STATUS),
            subject(Topic.NODE_VIEWS),
            subject(Topic.PLUGINS)));
  }

  private String subject(Topic topic) {
    return Registry.valueSubject(config.topics().name(topic));
  }

  private Discovery discovery(
      KafkaClients kafka,
      Registry registry,
      PluginEndpoints endpoints,
      ReportWriter reports,
      Clocks clocks) {
    PluginTopic topic =
        new KafkaPluginTopic(kafka, reports, AvroSerde.of(registry, PluginInstance.class), clocks);
    return new Discovery(
        endpoints.all(),
        config.workerId(),
        config.discoveryInterval(),
        topic,
        this::takesCalls,
        kafka::isServedByOthers,
        clocks);
  }

  private boolean takesCalls(EndpointConfig endpoint, String plugin) {
    AcceptLoop loop = loops.get(endpoint.route());
    boolean controller = endpoint.role() == PluginRole.CONTROLLER;
    return loop != null
        && loop.polls(
            config.topics().name(controller ? Topic.PLUGIN_WORK : Topic.NODE_WORK),
            controller ? plugin : endpoint.node());
  }

  private Listings listings(Registry registry, ReportWriter reports, Clocks clocks) {
    AvroSerde<PluginListing> serde = AvroSerde.of(registry, PluginListing.class);
    String work = config.topics().name(Topic.PLUGIN_WORK);
    return new Listings(
        discovery::listing,
        (route, plugin) -> loops.containsKey(route) && loops.get(route).polls(work, plugin),
        config.listingInterval(),
        () -> ThreadLocalRandom.current().nextDouble(),
        page ->
            reports.write(
                config.topics().name(Topic.PLUGIN_LISTINGS),
                page.getPlugin(),
                page,
                serde.serializer()),
        clocks,
        () -> config.workerId() + "/" + UUID.randomUUID());
  }

  /**
   * Starts to accept work and to look at the plugins, and listens for {@code /health}, {@code
   * /ready} and {@code /metrics} where a port is configured.
   *
   * @throws java.io.UncheckedIOException when the port cannot be had
   */
  public void start() {
    log.info("worker={} starts endpoints={}", config.workerId(), config.endpoints().size());
    if (config.healthPort().isPresent()) {
      int port = config.healthPort().getAsInt();
      StatusServer opened =
          toClose(new StatusServer(port, condition::health, condition::readiness, meters));
      status = Optional.of(opened);
      log.info("health={} metrics={}", opened.url("/health"), opened.url("/metrics"));
    }
    loops.values().forEach(loop -> loop.whenMoved(discovery::lookSoon));
    loops.values().forEach(AcceptLoop::start);
    secretWatch.start();
    discovery.start();
    listings.start();
  }

  /**
   * Returns whether it goes on by itself: no route's thread stands still. That is so while the
   * cluster is away, which a new start would not bring back.
   */
  public boolean isHealthy() {
    return condition.health().good();
  }

  private boolean goesOn() {
    return loops.values().stream()
        .allMatch(loop -> loop.sinceLastRound().compareTo(COMES_ROUND_EVERY) < 0);
  }

  private boolean polls() {
    return loops.values().stream()
        .allMatch(loop -> loop.sinceLastTurn().compareTo(POLLS_AT_LEAST_EVERY) < 0);
  }

  /** Returns the port of {@code /health} and its like; empty where none is configured. */
  public OptionalInt healthPort() {
    return status.map(server -> OptionalInt.of(server.port())).orElse(OptionalInt.empty());
  }

  /** Returns what it waits for, a line each for people; nothing when all is well. */
  public List<String> waiting() {
    Stream<String> late =
        reports
            .waitingSince()
            .filter(wait -> wait.compareTo(WRITTEN_WITHIN) > 0)
            .map(wait -> "outcomes have not been written for " + wait.toSeconds() + " s")
            .stream();
    return Stream.of(
            loops.values().stream().flatMap(loop -> loop.waiting().stream()).distinct(),
            late,
            discovery.waiting().stream())
        .flatMap(lines -> lines)
        .toList();
  }

  /** Returns how many attempts are open. */
  public int openAttempts() {
    return calls.open();
  }

  /**
   * Takes the instances back, accepts nothing more, leaves the groups, waits for the open calls (at
   * most {@code drain.timeout.ms}), and writes their outcomes.
   */
  @Override
  public void close() {
    log.info("worker={} closes open={}", config.workerId(), calls.open());
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.warn("closing failed worker={} part={}", config.workerId(), part, e);
      }
    }
  }

  @Override
  public String toString() {
    return "Worker[" + config.workerId() + "]";
  }

  private Map<String, Set<String>> workTopics() {
    Map<String, Set<String>> topics = new TreeMap<>();
    for (EndpointConfig endpoint : config.endpoints()) {
      boolean controller = endpoint.role() == PluginRole.CONTROLLER;
      topics
          .computeIfAbsent(endpoint.route(), route -> new TreeSet<>())
          .add(config.topics().name(controller ? Topic.PLUGIN_WORK : Topic.NODE_WORK));
    }
    return topics;
  }

  private <T extends AutoCloseable> T toClose(T part) {
    parts.push(part);
    return part;
  }
}
