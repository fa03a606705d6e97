package dev.berth.producers;

import dev.berth.records.AllocEvent;
import dev.berth.records.ClaimReply;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.FeedPosition;
import dev.berth.records.ReplyOutcome;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scheduler's side of Berth: claims volumes for its allocs and says what becomes of the allocs.
 * {@code DESIGN.md} of this module says what is guaranteed and what a scheduler has to do.
 *
 * <p>Every call queues its events at once and returns; the futures complete on the library's own
 * threads, one that writes and one that reads replies. Do not block in what depends on them. Safe
 * for use by many threads; statements are written in the order of the calls.
 *
 * <p>One process at a time writes for a scheduler id: starting another takes over, and the calls of
 * the earlier one then fail with {@link SchedulerReplacedException}.
 */
public final class Scheduler implements Speaker, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Scheduler.class);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final SchedulerConfig config;
  private final Registry registry;
  private final AllocRecords records;
  private final AllocEvents events;
  private final OpenQuestions<ClaimReply> claims =
      new OpenQuestions<>(
          ClaimReply::getRequestId, reply -> reply.getOutcome() != ReplyOutcome.WAITING);
  private final RepeatedClaims repeated = new RepeatedClaims();
  private final AnswerReader<ClaimReply> replies;
  private final SchedulerCounts counts = new SchedulerCounts(System::nanoTime);
  private final GroupCommit writes;

  /**
   * Takes ownership of everything it is given, also when it fails.
   *
   * @param producers makes transactional producers with this scheduler's transactional id
   * @param consumer reads committed records, without a group
   */
  Scheduler(
      SchedulerConfig config,
      Registry registry,
      Supplier<? extends Producer<String, byte[]>> producers,
      org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer) {
    this.config = config;
    this.registry = registry;
    this.records = new AllocRecords(config.connection().topics(), registry);
    this.events =
        new AllocEvents(
            config.schedulerId(), new Indexes(config.indexes(), config.clock()), config.clock());
    String name = "berth-scheduler-" + config.schedulerId();
    this.replies =
        new AnswerReader<>(
            consumer,
            config.connection().topics().name(Topic.CLAIM_REPLIES),
            AvroSerde.of(registry, ClaimReply.class).deserializer(),
            this::receive,
            config.clock(),
            name + "-replies");
    TransactionalWriter writer =
        new TransactionalWriter(producers, KafkaSettings.TRANSACTION_TIMEOUT, config.clock());
    try {
      writer.open();
    } catch (RuntimeException e) {
      replies.close();
      throw e;
    }
    this.writes = new GroupCommit(writer, config.linger(), PAUSE, name + "-writes");
  }

  /**
   * Connects, takes over from an earlier process of the same scheduler and begins to read replies.
   *
   * @throws IllegalArgumentException when a setting cannot be used
   * @throws IllegalStateException when Berth's topics do not exist
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the schema registry does
   *     not answer
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses
   */
  public static Scheduler start(SchedulerConfig config) {
    Connection connection = config.connection();
    Registry registry = Registry.connect(connection.registry());
    try {
      // Asked now, so that no later call has to wait for the registry.
      registry.idFor(connection.topics().subject(Topic.ALLOC_EVENTS), AllocEvent.getClassSchema());
      String transactionalId = connection.topics().prefix() + "-scheduler-" + config.schedulerId();
      Scheduler scheduler =
          new Scheduler(
              config,
              registry,
              () ->
                  new KafkaProducer<>(
                      KafkaSettings.transactionalProducer(connection, transactionalId)),
              new KafkaConsumer<>(KafkaSettings.consumer(connection)));
      log.info("scheduler started scheduler={} connection={}", config.schedulerId(), connection);
      return scheduler;
    } catch (RuntimeException e) {
      registry.close();
      throw e;
    }
  }

  /** Claims a volume; see {@link #claim(ClaimRequest, Consumer)}. */
  public CompletableFuture<ClaimReply> claim(ClaimRequest request) {
    return claim(request, reply -> {});
  }

  /**
   * Claims a volume. A claim that is made again while it waits (two volume blocks on one source,
   * say) is one claim still: each future completes with the one reply.
   *
   * @param whileWaiting told why the claim waits, each time Berth says so, on the thread that reads
   *     replies
   * @return the final reply, granted or rejected. Fails with {@link WriteFailedException} when the
   *     claim could not be written and with {@link ClosedException} when the library is closed
   *     before the reply. Cancelling it ends the waiting here, not the claim: say that the alloc
   *     has ended to end that
   * @throws InvalidEventException when the request's number is not usable
   */
  public CompletableFuture<ClaimReply> claim(
      ClaimRequest request, Consumer<ClaimReply> whileWaiting) {
    return claim(List.of(request), whileWaiting).get(0);
  }

  /**
   * Claims several volumes, all written in one transaction or none.
   *
   * @return the final replies, in the order of the requests; see {@link #claim(ClaimRequest,
   *     Consumer)}
   * @throws InvalidEventException when the number of a request is not usable; nothing is written
   */
  public List<CompletableFuture<ClaimReply>> claim(
      List<ClaimRequest> requests, Consumer<ClaimReply> whileWaiting) {
    return say(
            requests.stream().<Saying>map(r -> new Saying.Claims(r, whileWaiting)).toList(),
            Optional.empty())
        .replies();
  }

  @Override
  public Saying.Said say(List<? extends Saying> sayings, Optional<FeedPosition> position) {
    List<CompletableFuture<ClaimReply>> answers = new ArrayList<>();
    Trace trace = config.traces().get();
    CompletableFuture<Void> written =
        write(
            () ->
                Stream.concat(
                        events(sayings, answers).stream().map(event -> records.of(event, trace)),
                        position.stream().map(this::signed).map(records::of))
                    .toList(),
            position.map(FeedPosition::getFeed),
            answers);
    answers.forEach(answer -> OpenQuestions.failWith(written, answer));
    return new Saying.Said(written, answers);
  }

  /**
   * Says what the client reports of an alloc and what is wanted of it.
   *
   * @return completes when it is committed
   * @throws InvalidEventException when a status or the number is not usable
   */
  public CompletableFuture<Void> alloc(Alloc alloc, ClientStatus client, DesiredStatus desired) {
    return say(new Saying.Status(alloc, client, desired));
  }

  /**
   * Says that the scheduler no longer knows an alloc.
   *
   * @return completes when it is committed
   * @throws InvalidEventException when the number is not usable
   */
  public CompletableFuture<Void> allocGone(Alloc alloc) {
    return say(new Saying.Gone(alloc));
  }

  /**
   * Says that the client has unmounted the alloc's volumes.
   *
   * @return completes when it is committed
   * @throws InvalidEventException when the number is not usable
   */
  public CompletableFuture<Void> unmounted(Alloc alloc) {
    return say(new Saying.Unmounted(alloc));
  }

  /**
   * Says that the client tried to unmount the alloc's volumes and failed.
   *
   * @param error the client's error text; no secrets
   * @return completes when it is committed
   * @throws InvalidEventException when the number is not usable
   */
  public CompletableFuture<Void> unmountFailed(Alloc alloc, String error) {
    return say(new Saying.UnmountFailed(alloc, error));
  }

  /** Id of the scheduler. */
  public String id() {
    return config.schedulerId();
  }

  /** What it has done so far and has in hand; cheap, and may be asked at any time. */
  public SchedulerMetrics metrics() {
    return counts.read(claims.count(), writes);
  }

  SchedulerConfig config() {
    return config;
  }

  /** Claims without a final reply (count). */
  int openClaims() {
    return claims.count();
  }

  Registry registry() {
    return registry;
  }

  /**
   * Draws a number now for what is said later: whatever is said meanwhile has a higher one. Empty
   * when the scheduler numbers itself.
   */
  synchronized OptionalLong reserveIndex() {
    return events.reserveIndex();
  }

  /** Says of claims of one alloc that it is gone, with a number that was drawn before. */
  CompletableFuture<Void> gone(List<SeenClaim> claims, long index) {
    return write(
        () ->
            events.gone(claims, index).stream()
                .map(event -> records.of(event, Trace.NONE))
                .toList(),
        Optional.empty(),
        List.of());
  }

  /**
   * Writes what is queued, for some seconds at most, and ends. Claims that have no final reply yet
   * fail with {@link ClosedException}; they stand all the same.
   */
  @Override
  public void close() {
    writes.close();
    replies.close();
    claims.closeAll(
        requestId ->
            new ClosedException(
                "scheduler '%s' was closed before claim %s was answered; the claim stands: make it again after a restart to learn its reply"
                    .formatted(config.schedulerId(), requestId)));
    registry.close();
    log.info("scheduler closed scheduler={}", config.schedulerId());
  }

  /** With this scheduler's id: the numbers and rows of a feed are those of one scheduler. */
  private FeedPosition signed(FeedPosition position) {
    return new FeedPosition(
        position.getFeed(),
        position.getSource(),
        position.getFingerprint(),
        position.getPosition(),
        position.getOpen(),
        position.getCounters(),
        position.getAt(),
        config.schedulerId());
  }

  private CompletableFuture<Void> say(Saying saying) {
    return say(List.of(saying), Optional.empty()).written();
  }

  /** The events in the order of what is said, for that is the order of their numbers. */
  private List<AllocEvent> events(
      List<? extends Saying> sayings, List<CompletableFuture<ClaimReply>> answers) {
    List<Saying.Claims> claims =
        sayings.stream()
            .filter(Saying.Claims.class::isInstance)
            .map(Saying.Claims.class::cast)
            .toList();
    if (claims.size() == sayings.size()) {
      return open(claims, answers);
    }
    return sayings.stream()
        .flatMap(
            saying ->
                saying instanceof Saying.Claims claim
                    ? open(List.of(claim), answers).stream()
                    : events.of(saying).stream())
        .toList();
  }

  /**
   * Opens what claims ask: before they can be answered, and not before all of them are known to be
   * usable, or questions would stay open that nobody has asked.
   */
  private List<AllocEvent> open(
      List<Saying.Claims> asked, List<CompletableFuture<ClaimReply>> answers) {
    List<String> ids = asked.stream().map(claim -> UUID.randomUUID().toString()).toList();
    List<AllocEvent> numbered =
        events.claims(asked.stream().map(Saying.Claims::request).toList(), ids);
    for (int i = 0; i < asked.size(); i++) {
      CompletableFuture<ClaimReply> answer = claims.open(ids.get(i), asked.get(i).whileWaiting());
      repeated.follow(asked.get(i).request(), answer);
      counts.follow(answer);
      answers.add(answer);
    }
    return numbered;
  }

  /**
   * Numbers and queues in one step: otherwise a statement could be overtaken by a later one with a
   * higher number, and Berth would ignore it.
   */
  private synchronized CompletableFuture<Void> write(
      Supplier<List<ProducerRecord<String, byte[]>>> statement,
      Optional<String> feed,
      List<CompletableFuture<ClaimReply>> answers) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      List<ProducerRecord<String, byte[]>> all = statement.get();
      counts.followStatement(written);
      writes.submit(
          new Statement(all, feed, written, System.nanoTime() + config.writeTimeout().toNanos()));
    } catch (RuntimeException e) {
      // Nothing of it is written, so nobody will answer.
      answers.forEach(answer -> answer.cancel(false));
      throw e;
    }
    return written;
  }

  private void receive(ClaimReply reply) {
    if (reply.getScheduler().equals(config.schedulerId())) {
      claims.answer(reply);
    }
  }
}
