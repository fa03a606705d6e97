package dev.berth.producers;

import dev.berth.records.Claim;
import dev.berth.schemas.serde.AvroSerde;
import dev.berth.schemas.topics.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds claims whose allocs the scheduler no longer knows, and says so: for allocs that ended while
 * nobody was there to report it.
 *
 * <p>The order is what makes it safe. The claim table is read to its end, then a number is drawn
 * for what will be said, then the list of live allocs is begun. A claim that was taken after the
 * reading is not judged; one that was made again meanwhile has another generation; and what the
 * scheduler says of an alloc meanwhile has a higher number, so that Berth does not listen to this
 * run. Claims of other schedulers are never spoken of.
 *
 * <p>Safe for use by many threads; runs of one reconciler follow each other.
 */
public final class Reconciler {

  private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

  /** Fewer than the scheduler lets wait, so that its other statements still find room. */
  private static final int STATEMENTS_IN_FLIGHT = 1_000;

  private static final Duration BEYOND_WRITE_TIMEOUT = Duration.ofSeconds(30);

  private final Scheduler scheduler;
  private final LiveAllocSource source;
  private final ReconcilerConfig config;
  private final Supplier<? extends Consumer<String, byte[]>> consumers;

  /**
   * Reads with the given consumers; each is closed after its run.
   *
   * @param consumers of committed records, without a group
   */
  Reconciler(
      Scheduler scheduler,
      LiveAllocSource source,
      ReconcilerConfig config,
      Supplier<? extends Consumer<String, byte[]>> consumers) {
    this.scheduler = scheduler;
    this.source = source;
    this.config = config;
    this.consumers = consumers;
  }

  /** For a scheduler, with the usual settings. */
  public static Reconciler of(Scheduler scheduler, LiveAllocSource source) {
    return of(scheduler, source, ReconcilerConfig.usual());
  }

  /**
   * For a scheduler.
   *
   * @param scheduler says what is found; stays the caller's to close
   * @param source gives the scheduler's live allocs
   */
  public static Reconciler of(
      Scheduler scheduler, LiveAllocSource source, ReconcilerConfig config) {
    Connection connection = scheduler.config().connection();
    return new Reconciler(
        scheduler, source, config, () -> new KafkaConsumer<>(KafkaSettings.consumer(connection)));
  }

  /**
   * Holds the claims against a new list of live allocs, once.
   *
   * @return what was found; everything that was said is committed
   * @throws ReconcileException when the table cannot be read in time, the list cannot be had, is
   *     empty without permission or lacks its number; nothing was said then. Also when not all that
   *     was to be said could be written; a later run says it again
   * @throws org.apache.kafka.common.KafkaException when the cluster does not answer or refuses;
   *     nothing was said
   * @throws dev.berth.schemas.registry.RegistryUnavailableException when the registry does not
   *     answer; nothing was said
   * @throws InterruptedException when the thread is interrupted; a part may have been said
   */
  public synchronized ReconcileReport reconcile() throws InterruptedException {
    ClaimTable table = read();
    OptionalLong reserved = scheduler.reserveIndex();
    LiveAllocs live = list();
    long index = index(reserved, live);
    DeadClaims dead =
        DeadClaims.among(
            table.rows(), scheduler.config().schedulerId(), live, index, config.emptyListAllowed());
    say(dead.gone(), index);
    ReconcileReport report =
        new ReconcileReport(
            table.rows().size(),
            dead.own(),
            dead.gone().size(),
            dead.leaving(),
            dead.outnumbered(),
            table.unreadable(),
            table.position());
    log(report, live);
    return report;
  }

  private ClaimTable read() {
    Consumer<String, byte[]> consumer = consumers.get();
    try {
      return new ClaimTableReader(
              consumer,
              scheduler.config().connection().topics().name(Topic.CLAIMS),
              AvroSerde.of(scheduler.registry(), Claim.class).deserializer())
          .read(config.readTimeout(), System::nanoTime);
    } finally {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }

  private LiveAllocs list() throws InterruptedException {
    try {
      return source.list();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new ReconcileException(
          "there is no list of live allocs, so nothing is said of any: " + e.getMessage(), e);
    }
  }

  private static long index(OptionalLong reserved, LiveAllocs live) {
    if (reserved.isPresent()) {
      return reserved.getAsLong();
    }
    return live.index()
        .orElseThrow(
            () ->
                new ReconcileException(
                    "the list of live allocs has no number, but this scheduler numbers its"
                        + " statements itself: give the one it was taken at with at(…)"));
  }

  private void say(List<SeenClaim> gone, long index) throws InterruptedException {
    // One statement per alloc: all its volumes or none.
    Collection<List<SeenClaim>> allocs =
        gone.stream()
            .collect(
                Collectors.groupingBy(
                    SeenClaim::alloc, LinkedHashMap::new, Collectors.toUnmodifiableList()))
            .values();
    Map<String, CompletableFuture<Void>> inFlight = new LinkedHashMap<>();
    for (List<SeenClaim> claims : allocs) {
      inFlight.put(claims.get(0).alloc(), scheduler.gone(claims, index));
      if (inFlight.size() == STATEMENTS_IN_FLIGHT) {
        await(inFlight);
      }
    }
    await(inFlight);
  }

  private void await(Map<String, CompletableFuture<Void>> inFlight) throws InterruptedException {
    long most = scheduler.config().writeTimeout().plus(BEYOND_WRITE_TIMEOUT).toNanos();
    for (Map.Entry<String, CompletableFuture<Void>> statement : inFlight.entrySet()) {
      try {
        statement.getValue().get(most, TimeUnit.NANOSECONDS);
      } catch (ExecutionException | CompletionException | TimeoutException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new ReconcileException(
            "that alloc '%s' is gone could not be written, nor perhaps what follows: run again: %s"
                .formatted(statement.getKey(), cause.getMessage()),
            cause);
      }
    }
    inFlight.clear();
  }

  private void log(ReconcileReport report, LiveAllocs live) {
    log.info(
        "claims reconciled scheduler={} rows={} own={} live_allocs={} gone={} leaving={}",
        scheduler.config().schedulerId(),
        report.rows(),
        report.own(),
        live.ids().size(),
        report.gone(),
        report.leaving());
    if (report.outnumbered() > 0) {
      log.warn(
          "claims without a live alloc have statements with higher numbers than this run and are"
              + " left alone; if they stay, the scheduler's numbers went back scheduler={} claims={}",
          scheduler.config().schedulerId(),
          report.outnumbered());
    }
    if (report.unreadable() > 0) {
      log.warn(
          "claims cannot be read and are left alone scheduler={} claims={}",
          scheduler.config().schedulerId(),
          report.unreadable());
    }
  }
}
