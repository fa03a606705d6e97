package dev.berth.workers.discovery;

import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the plugin endpoints of a worker and publishes what it finds of those whose calls it
 * takes: at once when something changes, and at least once per interval. Workers that share a route
 * find the same; only the one that would accept the next call reports it, so that a report says
 * that calls are taken, and nobody's report replaces another's. An endpoint that is unwell is
 * looked at every second, one that a call could not reach at once.
 */
public final class Discovery implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Discovery.class);
  private static final Duration UNWELL = Duration.ofSeconds(1);
  private static final Duration FAREWELL = Duration.ofSeconds(5);
  private static final int MOST_THREADS = 32;

  private final List<EndpointWatch> watches;
  private final Duration interval;
  private final Predicate<String> servedByOthers;
  private final ScheduledExecutorService threads;

  /**
   * @param endpoints what to watch
   * @param worker worker that reports
   * @param interval longest time between two reports of an endpoint
   * @param topic takes reports, and has earlier ones
   * @param takesCalls whether this worker takes the calls of an endpoint, of the plugin (by id)
   * @param servedByOthers whether other workers serve a route, asked at the end
   * @param clocks clocks of the process
   */
  public Discovery(
      List<PluginEndpoint> endpoints,
      String worker,
      Duration interval,
      PluginTopic topic,
      BiPredicate<EndpointConfig, String> takesCalls,
      Predicate<String> servedByOthers,
      Clocks clocks) {
    this.interval = interval;
    this.servedByOthers = servedByOthers;
    this.watches =
        endpoints.stream()
            .map(
                endpoint ->
                    new EndpointWatch(endpoint, worker, interval, topic, takesCalls, clocks))
            .toList();
    this.threads =
        new ScheduledThreadPoolExecutor(
            Math.max(1, Math.min(MOST_THREADS, watches.size())),
            task -> {
              Thread thread = new Thread(task, "discovery");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Begins to look. */
  public void start() {
    for (EndpointWatch watch : watches) {
      watch.endpoint().whenUnreached(() -> lookOutOfTurn(watch));
      soon(() -> lookAndAgain(watch), Duration.ZERO);
    }
  }

  /** Looks at all endpoints out of turn; returns at once. */
  public void lookSoon() {
    watches.forEach(this::lookOutOfTurn);
  }

  /**
   * Ends, and takes back the instances that nobody else serves. Those of a route with other workers
   * stay: they go on being served and reported.
   */
  @Override
  public void close() {
    watches.forEach(EndpointWatch::end);
    threads.shutdownNow();
    Map<String, Boolean> served = new HashMap<>();
    List<CompletableFuture<Void>> farewells =
        watches.stream()
            .filter(
                watch ->
                    !served.computeIfAbsent(
                        watch.endpoint().config().route(), servedByOthers::test))
            .map(EndpointWatch::remove)
            .toList();
    try {
      CompletableFuture.allOf(farewells.toArray(CompletableFuture<?>[]::new))
          .orTimeout(FAREWELL.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    } catch (java.util.concurrent.CompletionException e) {
      log.warn("not all plugin instances could be taken back", e);
    }
  }

  /** Returns the endpoints that were well when last looked at, or those that were not. */
  public List<EndpointConfig> endpoints(boolean well) {
    return watches.stream()
        .filter(watch -> watch.isWell() == well)
        .map(watch -> watch.endpoint().config())
        .toList();
  }

  /** Returns the controllers that were well when last looked at and list published volumes. */
  public List<PluginEndpoint> listing() {
    return watches.stream()
        .filter(EndpointWatch::listsPublished)
        .map(EndpointWatch::endpoint)
        .toList();
  }

  /** Returns what an operator should look at, a line each; nothing when all is well. */
  public List<String> waiting() {
    return watches.stream().flatMap(watch -> watch.left().stream()).toList();
  }

  private void lookAndAgain(EndpointWatch watch) {
    boolean well = lookOnce(watch);
    soon(() -> lookAndAgain(watch), well ? interval.dividedBy(3) : UNWELL);
  }

  private void lookOutOfTurn(EndpointWatch watch) {
    if (watch.askLook()) {
      soon(() -> lookOnce(watch), Duration.ZERO);
    }
  }

  private boolean lookOnce(EndpointWatch watch) {
    try {
      return watch.look();
    } catch (RuntimeException e) {
      log.error("look at a plugin failed endpoint={}", watch.endpoint().config(), e);
      return false;
    }
  }

  private void soon(Runnable task, Duration delay) {
    try {
      ScheduledFuture<?> unused = threads.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("closing, no further look");
    }
  }
}
