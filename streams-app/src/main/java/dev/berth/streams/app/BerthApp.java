package dev.berth.streams.app;

import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Layout;
import dev.berth.schemas.topics.Provisioning;
import dev.berth.schemas.topics.ProvisioningException;
import dev.berth.streams.app.AppState.Phase;
import dev.berth.streams.intake.GatedClients;
import dev.berth.streams.intake.HeldPartition;
import dev.berth.streams.intake.SchemaGate;
import dev.berth.streams.metrics.AppMeters;
import dev.berth.streams.metrics.MeasuredStreams;
import dev.berth.streams.ownership.FenceTopic;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.query.ApiServer;
import dev.berth.streams.query.StreamsInstances;
import dev.berth.streams.query.TopicAccess;
import dev.berth.streams.query.security.ConfiguredSecurity;
import dev.berth.streams.topology.Changelogs;
import dev.berth.streams.topology.TopologyContext;
import dev.berth.telemetry.Meters;
import dev.berth.telemetry.StatusServer;
import io.micrometer.core.instrument.Gauge;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Streams application in this process.
 *
 * <pre>
 *  starting ──checks──► rebalancing ◄──► running
 *     │                      │              │
 *     │ refused              └──────┬───────┤ a failure that no try can mend
 *     ▼                             ▼       ▼
 *  (exception)        closing ──► closed  failed
 * </pre>
 *
 * <p>Safe for use by many threads; started once.
 */
public final class BerthApp implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BerthApp.class);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(30);

  private final AppConfig config;
  private final BiFunction<TopologyContext, Policies, Topology> topology;
  private final Registry registry;
  private final SchemaGate gate;
  private final Meters meters = new Meters();
  private final StatusServer status;
  private final ApiServer api;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Object closeLock = new Object();
  private final ThreadFailures failures =
      new ThreadFailures(Clock.systemUTC(), this::pauseUnlessClosing, this::topicsDeleted);

  private AppState state = new AppState(Phase.STARTING, "");
  private @Nullable KafkaStreams streams;
  private @Nullable AppMeters appMeters;
  private boolean closed;

  /**
   * Makes the application and opens its status server and its API; nothing is sent yet.
   *
   * @param topology builds the topology for what is found on the cluster
   * @throws java.io.UncheckedIOException when the health port, or that of the API, cannot be had
   * @throws IllegalArgumentException when the API may not listen where it is told to
   */
  public BerthApp(AppConfig config, BiFunction<TopologyContext, Policies, Topology> topology) {
    this.config = config;
    this.topology = topology;
    this.registry = Registry.connect(config.registry());
    this.gate = new SchemaGate(registry, Clock.systemUTC());
    AppCondition condition =
        new AppCondition(this::state, this::threads, this::waiting, this::hung);
    StatusServer opened = null;
    try {
      opened =
          new StatusServer(config.healthPort(), condition::health, condition::readiness, meters);
      this.api =
          new ApiServer(
              config.api(),
              ConfiguredSecurity.of(config.apiSecurity(), config.api(), Clock.systemUTC()));
    } catch (UncheckedIOException | IllegalArgumentException e) {
      if (opened != null) {
        opened.close();
      }
      meters.close();
      gate.close();
      registry.close();
      throw e;
    }
    this.status = opened;
    Gauge.builder("berth.ready", () -> condition.readiness().good() ? 1 : 0)
        .description("1 while the stores are restored and every stream thread runs")
        .register(meters.registry());
  }

  /**
   * Checks what it needs, waiting while brokers or registry are away, and starts. Returns before
   * the partitions are taken over; see {@link #awaitRunning}.
   *
   * @throws StartupRefusedException when the cluster is not as it must be
   */
  public void start() {
    LOG.info("starting {} health={}", config, status.url("/health"));
    Optional<StartupChecks.Partitions> found = check();
    if (found.isEmpty()) {
      return;
    }
    KafkaStreams built = build(found.get());
    synchronized (this) {
      if (closing.getCount() == 0) {
        closeMeters();
        built.close();
        return;
      }
      streams = built;
    }
    // Not under the lock: threads of Kafka Streams hold locks of theirs when they tell of a state.
    try {
      built.start();
    } catch (IllegalStateException e) {
      if (closing.getCount() > 0) {
        throw e;
      }
      LOG.info("closed while starting");
    }
  }

  /** Where it is in its life. */
  public synchronized AppState state() {
    return state;
  }

  /**
   * The topic-partitions whose next record was written with a schema that nobody can tell for now.
   * They go on when the registry answers; the others are not kept waiting.
   */
  public List<HeldPartition> waiting() {
    return gate.held();
  }

  /** The stream threads; none while it does not run. */
  private Set<ThreadMetadata> threads() {
    try {
      // Not under the lock, see start().
      return streams().metadataForLocalThreads();
    } catch (IllegalStateException notRunning) {
      return Set.of();
    }
  }

  /** What is to be said of stream threads that hang; nothing while it does not run. */
  private List<String> hung() {
    try {
      return new HungThreads(KafkaSettings.longestPoll(config)).among(streams().metrics());
    } catch (IllegalStateException notRunning) {
      return List.of();
    }
  }

  /** Port on the loopback of {@code /health}, {@code /ready} and {@code /metrics}. */
  public int healthPort() {
    return status.port();
  }

  /** Where the query API is reached, {@code host:port}. */
  public String apiAddress() {
    return api.address();
  }

  /**
   * Kafka Streams itself, for queries.
   *
   * @throws IllegalStateException before it is started
   */
  public synchronized KafkaStreams streams() {
    if (streams == null) {
      throw new IllegalStateException("not started yet: " + state.text());
    }
    return streams;
  }

  /**
   * Waits until it runs.
   *
   * @return whether it does; false when the patience ended, or the application did
   */
  public synchronized boolean awaitRunning(Duration patience) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!state.running() && !state.ended()) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return state.running();
  }

  /** Waits until it is closed or has failed, and returns which. */
  public synchronized AppState awaitEnd() throws InterruptedException {
    while (!state.ended()) {
      wait();
    }
    return state;
  }

  /** Leaves the group and closes everything. Doing it again waits for the first time only. */
  @Override
  public void close() {
    closing.countDown();
    synchronized (closeLock) {
      if (!closed) {
        closed = true;
        closeOnce();
      }
    }
  }

  private void closeOnce() {
    KafkaStreams open;
    synchronized (this) {
      open = streams;
      streams = null;
      move(new AppState(Phase.CLOSING, ""));
    }
    api.close();
    closeMeters();
    if (open != null
        && !open.close(
            CloseOptions.timeout(CLOSE_PATIENCE)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP))) {
      LOG.warn("stream threads are still busy after {}", CLOSE_PATIENCE);
    }
    gate.close();
    registry.close();
    status.close();
    meters.close();
    move(new AppState(Phase.CLOSED, ""));
  }

  private void closeMeters() {
    AppMeters looking;
    synchronized (this) {
      looking = appMeters;
      appMeters = null;
    }
    if (looking != null) {
      looking.close();
    }
  }

  private KafkaStreams build(StartupChecks.Partitions partitions) {
    TopologyContext context =
        new TopologyContext(config.topics(), registry, partitions.volume(), partitions.lane());
    Properties settings = KafkaSettings.streams(config);
    settings.put(StreamsConfig.APPLICATION_SERVER_CONFIG, api.address());
    KafkaStreams built =
        new MeasuredStreams(
            topology.apply(context, config.policies()),
            settings,
            new GatedClients(gate, fence().partition()));
    api.serve(
        new StreamsInstances(built, context, config.applicationId(), api.advertised()),
        new TopicAccess(
            config.topics(),
            registry,
            () -> new KafkaConsumer<>(KafkaSettings.consumer(config)),
            () -> new KafkaProducer<>(KafkaSettings.producer(config))));
    AppMeters looking = AppMeters.of(meters, built, context, config.applicationId());
    synchronized (this) {
      appMeters = looking;
    }
    built.setStateListener((now, before) -> moved(now));
    built.setUncaughtExceptionHandler(failures);
    return built;
  }

  private Optional<StartupChecks.Partitions> check() {
    try (Admin admin = Admin.create(KafkaSettings.admin(config))) {
      return new StartupChecks(
              config.topics(),
              Changelogs.subjects(config.applicationId()),
              fence(),
              admin,
              registry,
              this::pauseUnlessClosing,
              waiting -> move(new AppState(Phase.STARTING, waiting)))
          .run();
    }
  }

  private FenceTopic fence() {
    return new FenceTopic(config.applicationId(), config.replicationFactor());
  }

  private boolean topicsDeleted() {
    try (Admin admin = Admin.create(KafkaSettings.admin(config))) {
      return !new Provisioning(config.topics(), Layout.replicated(1), admin)
          .compare()
          .missing()
          .isEmpty();
    } catch (ProvisioningException e) {
      LOG.warn("the brokers do not tell whether topics were deleted: {}", e.getMessage());
      return false;
    }
  }

  private boolean pauseUnlessClosing(Duration time) {
    try {
      return !closing.await(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Called by threads of Kafka Streams. */
  private void moved(KafkaStreams.State now) {
    LOG.debug("streams state={}", now);
    if (closing.getCount() == 0) {
      return;
    }
    switch (now) {
      case CREATED -> move(new AppState(Phase.STARTING, ""));
      case REBALANCING -> move(new AppState(Phase.REBALANCING, ""));
      case RUNNING -> move(new AppState(Phase.RUNNING, ""));
      case PENDING_ERROR, ERROR ->
          move(new AppState(Phase.FAILED, failures.fatal().orElse("all stream threads ended")));
      case PENDING_SHUTDOWN, NOT_RUNNING -> {
        // Only close() leads here, and that says so itself.
      }
    }
  }

  private synchronized void move(AppState next) {
    if (!state.ended() && !state.equals(next)) {
      LOG.info("state={}", next.text());
      state = next;
      notifyAll();
    }
  }
}
