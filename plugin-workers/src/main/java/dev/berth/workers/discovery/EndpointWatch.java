package dev.berth.workers.discovery;

import dev.berth.records.PluginInstance;
import dev.berth.workers.config.EndpointConfig;
import dev.berth.workers.csi.PluginEndpoint;
import dev.berth.workers.discovery.Finding.ControllerAbilities;
import dev.berth.workers.discovery.Finding.Well;
import dev.berth.workers.time.Clocks;
import dev.berth.workers.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches one endpoint. Looks come one after another; a report begins only when the one before is
 * written, so that reports never overtake each other.
 */
final class EndpointWatch {

  private static final Logger log = LoggerFactory.getLogger(EndpointWatch.class);

  private final PluginEndpoint endpoint;
  private final String worker;
  private final Duration interval;
  private final PluginTopic topic;
  private final BiPredicate<EndpointConfig, String> takesCalls;
  private final Clocks clocks;
  private final ReentrantLock looking = new ReentrantLock();
  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);
  private @Nullable PluginInstance last;
  private @Nullable Well known;
  private boolean well;
  private boolean ended;

  /** Not under the monitor: who asks must not wait. */
  private final AtomicBoolean lookAsked = new AtomicBoolean();

  private boolean saidNameless;

  /** Since when another worker takes the calls; null while this one does. */
  private @Nullable Moment leftSince;

  private boolean saidLeft;

  /**
   * @param endpoint what to watch
   * @param worker worker that reports
   * @param interval longest time between two reports
   * @param topic takes reports, and has earlier ones
   * @param takesCalls whether this worker takes the calls of the endpoint, of the plugin (by id)
   * @param clocks clocks of the process
   */
  EndpointWatch(
      PluginEndpoint endpoint,
      String worker,
      Duration interval,
      PluginTopic topic,
      BiPredicate<EndpointConfig, String> takesCalls,
      Clocks clocks) {
    this.endpoint = endpoint;
    this.worker = worker;
    this.interval = interval;
    this.topic = topic;
    this.takesCalls = takesCalls;
    this.clocks = clocks;
  }

  PluginEndpoint endpoint() {
    return endpoint;
  }

  /** Asks for a look out of turn. Returns false when one is asked for already. */
  boolean askLook() {
    return lookAsked.compareAndSet(false, true);
  }

  /** Looks at the endpoint and reports what is due. Returns whether it is well. */
  boolean look() {
    looking.lock();
    try {
      lookNow();
    } finally {
      looking.unlock();
    }
    return isWell();
  }

  private void lookNow() {
    lookAsked.set(false);
    Finding finding = PluginProbe.look(endpoint);
    if (finding instanceof Well well) {
      endpoint.named(well.name());
    }
    report(finding, clocks.read().wall());
  }

  /** Returns whether it is a controller that is well and lists what is published where. */
  synchronized boolean listsPublished() {
    return well
        && known != null
        && known.abilities() instanceof ControllerAbilities controller
        && controller.listPublished();
  }

  /** Ends the watch: whatever a look that is under way finds is reported no more. */
  synchronized void end() {
    ended = true;
  }

  /** Reports that the instance is gone for good, after the end of the watch, if it is ours. */
  synchronized CompletableFuture<Void> remove() {
    PluginInstance reported = last;
    return reported == null
        ? CompletableFuture.completedFuture(null)
        : written.thenCompose(
            done -> publish(InstanceRecords.removed(reported, clocks.read().wall())));
  }

  /** Returns whether the plugin was well when last looked at. */
  synchronized boolean isWell() {
    return well;
  }

  /**
   * Under the lock of the looks. The monitor is not held while the cluster is waited for, for a
   * report of earlier days or for room in the producer: the accept loops and /health would wait
   * with it.
   */
  private void report(Finding finding, Instant now) {
    Optional<String> plugin = endpoint.plugin();
    if (mayNeedEarlier(finding, plugin)) {
      Well earlier = earlier(plugin.orElseThrow());
      synchronized (this) {
        known = known == null ? earlier : known;
      }
    }
    CompletableFuture<Void> begun = new CompletableFuture<>();
    PluginInstance due = due(finding, plugin, now, begun);
    if (due == null) {
      return;
    }
    try {
      CompletableFuture<Void> unused =
          publish(due).whenComplete((done, error) -> begun.complete(null));
    } catch (RuntimeException e) {
      // Not begun at all: the next report must not wait for this one.
      begun.complete(null);
      throw e;
    }
  }

  private synchronized boolean mayNeedEarlier(Finding finding, Optional<String> plugin) {
    return known == null
        && !(finding instanceof Well)
        && plugin.filter(id -> takesCalls.test(endpoint.config(), id)).isPresent();
  }

  /** What is to be reported, of which is noted that it is being written; null when nothing is. */
  private synchronized @Nullable PluginInstance due(
      Finding finding, Optional<String> plugin, Instant now, CompletableFuture<Void> begun) {
    well = finding instanceof Well;
    if (finding instanceof Well found) {
      known = found;
    }
    if (plugin.isEmpty()) {
      if (!saidNameless) {
        saidNameless = true;
        log.warn("plugin has not told its name endpoint={} found={}", endpoint.config(), finding);
      }
      return null;
    }
    if (!takesCalls.test(endpoint.config(), plugin.get())) {
      // Whoever takes them reports it, and may have said something else of it by the next time.
      last = null;
      log.debug("left to whoever takes its calls plugin={} found={}", plugin.get(), finding);
      noteLeft();
      return null;
    }
    leftSince = null;
    saidLeft = false;
    PluginInstance instance =
        InstanceRecords.of(
            endpoint.config(), plugin.get(), worker, finding, Optional.ofNullable(known), now);
    boolean due = InstanceRecords.isDue(Optional.ofNullable(last), instance, interval);
    if (ended || !due || !written.isDone()) {
      return null;
    }
    logChange(instance);
    last = instance;
    written = begun;
    return instance;
  }

  private void noteLeft() {
    Moment since = leftSince;
    leftSince = since == null ? clocks.read() : since;
    left()
        .filter(text -> !saidLeft)
        .ifPresent(
            text -> {
              saidLeft = true;
              log.warn("{}", text);
            });
  }

  /**
   * Says that another worker takes the calls of a socket that perhaps only this one reaches; empty
   * when that is not so, or only for a moment.
   */
  synchronized Optional<String> left() {
    EndpointConfig config = endpoint.config();
    boolean shared = config.address().isUnixSocket() && config.route().equals(EndpointConfig.POOL);
    Moment since = leftSince;
    return shared && since != null && clocks.read().since(since).compareTo(interval) >= 0
        ? Optional.of(
            ("another worker of route %s takes the calls of %s and reports it, which listens on a"
                    + " socket of this machine: if that worker runs on another machine, nobody"
                    + " reaches it; set plugins.%s.route to a name of its own, or serve it by"
                    + " 'worker controller --plugin'")
                .formatted(config.route(), endpoint.plugin().orElse(config.name()), config.name()))
        : Optional.empty();
  }

  /** A worker that has just started must not wipe out what was known of a plugin that is down. */
  private @Nullable Well earlier(String plugin) {
    String key = InstanceRecords.key(plugin, endpoint.config().role(), endpoint.config().node());
    return topic.last(key).flatMap(InstanceRecords::known).orElse(null);
  }

  private CompletableFuture<Void> publish(PluginInstance instance) {
    return topic.publish(InstanceRecords.key(instance), instance);
  }

  private void logChange(PluginInstance instance) {
    PluginInstance before = last;
    if (before == null || before.getHealth() != instance.getHealth()) {
      log.info(
          "plugin={} node={} role={} health={} text={}",
          instance.getPlugin(),
          instance.getNode(),
          instance.getRole(),
          instance.getHealth(),
          instance.getHealthText());
    }
  }
}
