package dev.berth.workers.listing;

import dev.berth.records.PluginListing;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.time.Clocks;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the volumes of plugins again and again and publishes what they say, for {@code Lanes} to
 * compare with what should be attached.
 *
 * <p>A plugin is listed by one worker: the one that would accept its next controller call. While
 * that moves to another, both may list once; nothing is concluded from a listing that is cut short.
 * The listing is no part of the plugin's lane: it changes nothing, and one that meets a call is
 * seen to have begun before the call was over.
 */
public final class Listings implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Listings.class);
  private static final Duration LOOK = Duration.ofMillis(500);

  private final Supplier<List<PluginEndpoint>> able;
  private final BiPredicate<String, String> isOurs;
  private final Turns turns;
  private final Function<PluginListing, CompletableFuture<Void>> topic;
  private final Clocks clocks;
  private final Supplier<String> ids;
  private final Set<String> underWay = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(daemons("listing-timer"));
  private final ExecutorService threads = Executors.newCachedThreadPool(daemons("listing"));

  /**
   * Prepares.
   *
   * @param able asked for the controllers that are well and list published nodes
   * @param isOurs whether this worker accepts the work of a route (first) for a plugin (second)
   * @param interval mean time between two listings of a plugin
   * @param random from 0 to below 1
   * @param topic takes a page; its future completes when that is written
   * @param clocks clocks of the process
   * @param ids makes ids that are never used again
   */
  public Listings(
      Supplier<List<PluginEndpoint>> able,
      BiPredicate<String, String> isOurs,
      Duration interval,
      DoubleSupplier random,
      Function<PluginListing, CompletableFuture<Void>> topic,
      Clocks clocks,
      Supplier<String> ids) {
    this.able = able;
    this.isOurs = isOurs;
    this.turns = new Turns(interval, random);
    this.topic = topic;
    this.clocks = clocks;
    this.ids = ids;
  }

  /** Begins to list. */
  public void start() {
    // The task itself catches everything: the future has nothing to tell.
    ScheduledFuture<?> unused =
        timer.scheduleWithFixedDelay(
            this::look, LOOK.toNanos(), LOOK.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Cuts short what is under way, and lists no more. */
  @Override
  public void close() {
    timer.shutdownNow();
    threads.shutdownNow();
  }

  private void look() {
    try {
      Map<String, PluginEndpoint> ours = ours(able.get());
      for (String plugin : turns.due(ours.keySet(), clocks.read())) {
        PluginEndpoint endpoint = ours.get(plugin);
        if (endpoint != null && underWay.add(plugin)) {
          threads.execute(() -> list(plugin, endpoint));
        }
      }
    } catch (RejectedExecutionException e) {
      log.debug("closing, no further listing");
    } catch (RuntimeException e) {
      log.error("looking for plugins to list failed", e);
    }
  }

  /** One controller for each plugin that is ours: that on the lowest node, as for other calls. */
  private Map<String, PluginEndpoint> ours(Collection<PluginEndpoint> endpoints) {
    Map<String, PluginEndpoint> ours = new HashMap<>();
    endpoints.stream()
        .sorted(Comparator.comparing(endpoint -> endpoint.config().node()))
        .forEach(
            endpoint ->
                endpoint
                    .plugin()
                    .filter(plugin -> isOurs.test(endpoint.config().route(), plugin))
                    .ifPresent(plugin -> ours.putIfAbsent(plugin, endpoint)));
    return ours;
  }

  private void list(String plugin, PluginEndpoint endpoint) {
    try {
      Snapshot snapshot = Snapshot.take(new CsiPages(endpoint.connection()), clocks);
      if (snapshot instanceof Snapshot.None none) {
        log.warn(
            "listing given up plugin={} node={} error={}",
            plugin,
            endpoint.config().node(),
            none.why());
      }
      String id = ids.get();
      List<PluginListing> pages = ListingRecords.of(plugin, id, snapshot);
      for (PluginListing page : pages) {
        // One after another: a page that is written again must not come after the next.
        topic.apply(page).get();
      }
      log.debug("listed plugin={} snapshot={} pages={}", plugin, id, pages.size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | RuntimeException e) {
      log.warn("listing failed plugin={} error={}", plugin, e.toString());
    } finally {
      underWay.remove(plugin);
    }
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
