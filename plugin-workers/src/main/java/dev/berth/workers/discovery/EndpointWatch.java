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
  private boolean lookAsked;
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
  synchronized boolean askLook() {
    boolean first = !lookAsked;
    lookAsked = true;
    return first;
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
    synchronized (this) {
      lookAsked = false;
    }
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

  private synchronized void report(Finding finding, Instant now) {
    well = finding instanceof Well;
    if (finding instanceof Well found) {
      known = found;
    }
    Optional<String> plugin = endpoint.plugin();
    if (plugin.isEmpty()) {
      if (!saidNameless) {
        saidNameless = true;
        log.warn("plugin has not told its name endpoint={} found={}", endpoint.config(), finding);
      }
      return;
    }
    if (!takesCalls.test(endpoint.config(), plugin.get())) {
      // Whoever takes them reports it, and may have said something else of it by the next time.
      last = null;
      log.debug("left to whoever takes its calls plugin={} found={}", plugin.get(), finding);
      noteLeft();
      return;
    }
    leftSince = null;
    saidLeft = false;
    if (known == null) {
      known = earlier(plugin.get());
    }
    PluginInstance instance =
        InstanceRecords.of(
            endpoint.config(), plugin.get(), worker, finding, Optional.ofNullable(known), now);
    boolean due = InstanceRecords.isDue(Optional.ofNullable(last), instance, interval);
    if (ended || !due || !written.isDone()) {
      return;
    }
    logChange(instance);
    last = instance;
    written = publish(instance);
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
