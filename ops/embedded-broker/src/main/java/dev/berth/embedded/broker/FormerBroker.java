package dev.berth.embedded.broker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.BrokerRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits until the controller has given up the process that was killed here before.
 *
 * <p>The metadata still show that one as the leader of all partitions. A broker that begins with
 * them loads the groups, drops them when the controller gives its former self up, and loads them
 * again as the new leader. Kafka 4.4.0 takes the end of the first load for that of the second: the
 * group coordinator serves while its groups are still on their way, answers GROUP_ID_NOT_FOUND, and
 * counts no session of the members it then loads. They keep their partitions for as long as the
 * broker runs. A broker that begins after its former self was fenced loads the groups once.
 */
final class FormerBroker implements MetadataPublisher {

  private static final Logger log = LoggerFactory.getLogger(FormerBroker.class);

  /**
   * Far beyond the session of a broker; a controller that is slower than this has other trouble.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CompletableFuture<Void> fenced = new CompletableFuture<>();

  /**
   * Returns when no broker of this node counts as running; at once, unless one was killed. After a
   * minute it gives up with a warning, for the broker may start all the same.
   *
   * <p>To be asked between the starts of controller and broker; the controller tells this what it
   * knows.
   */
  void awaitFenced() {
    try {
      fenced.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the broker starts", e);
    } catch (ExecutionException | TimeoutException e) {
      log.warn(
          "the controller does not give up the broker that ran before; groups may keep members that"
              + " are gone until the next start",
          e);
    }
  }

  @Override
  public String name() {
    return "FormerBroker";
  }

  @Override
  public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
    // The controller writes this last, after it has taken the partitions away.
    BrokerRegistration registration = image.cluster().broker(BrokerSettings.NODE_ID);
    if (registration == null || registration.fenced()) {
      fenced.complete(null);
    }
  }
}
