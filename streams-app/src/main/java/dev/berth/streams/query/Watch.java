package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.Synced;
import dev.berth.schemas.topics.Topic;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's look at a list: first the entries that there are, then every change.
 *
 * <p>Topics say which entry may have changed, the stores say how it is. So what is told of an entry
 * never goes back behind what was told before, and several changes that come at once are told as
 * one. {@link Looks} says when the stores are asked; what has not changed is not told.
 *
 * <p>While the client does not read, nothing is read for it: the topics keep what it has not been
 * told. Its own thread runs it.
 *
 * @param <Q> request of the list
 * @param <T> entry
 * @param <R> answer of the list
 * @param <C> change
 */
final class Watch<Q extends Message, T extends Message, R extends Message, C extends Message>
    implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int PAGE = 500;

  private final Watchable<Q, T, R, C> watched;
  private final Q wanted;
  private final TopicAccess access;
  private final Lister lister;
  private final ServerCallStreamObserver<C> to;
  private final InstantSource clock;

  /** What was told last of each entry, as a number: the entries would be too large. */
  private final Map<String, Integer> told = new HashMap<>();

  private final Looks looks = new Looks();
  private final Object ready = new Object();
  private volatile boolean ended;

  /**
   * Prepares.
   *
   * @param request what the client asks for
   */
  Watch(
      Watchable<Q, T, R, C> watched,
      Message request,
      TopicAccess access,
      Lister lister,
      ServerCallStreamObserver<C> to,
      InstantSource clock) {
    this.watched = watched;
    this.wanted = Fields.copied(request, watched.every());
    this.access = access;
    this.lister = lister;
    this.to = to;
    this.clock = clock;
    to.setOnCancelHandler(this::end);
    to.setOnReadyHandler(this::wake);
  }

  /** Ends it soon; by any thread. */
  void end() {
    ended = true;
    wake();
  }

  private void wake() {
    synchronized (ready) {
      ready.notifyAll();
    }
  }

  @Override
  public void run() {
    Consumer<String, byte[]> consumer = null;
    try {
      consumer = access.consumers().get();
      Map<String, Watchable.Cause> causes = causes();
      goToTheEnd(consumer, causes.keySet());
      Freshness freshness = lookAtAll();
      send(Fields.SYNCED, Synced.newBuilder().setFreshness(freshness).build());
      while (!ended) {
        Caller.requireStill();
        follow(consumer, causes);
      }
      if (!to.isCancelled()) {
        throw new UnavailableException("this instance ends", Duration.ofSeconds(1));
      }
    } catch (WakeupException | InterruptException | InterruptedException e) {
      LOG.debug("a watch was interrupted");
    } catch (KafkaException e) {
      fail(new UnavailableException("the brokers do not answer: " + e.getMessage(), POLL));
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      if (consumer != null) {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
      }
    }
  }

  private void fail(RuntimeException e) {
    if (!to.isCancelled()) {
      to.onError(BerthService.failure(e));
    }
  }

  private Map<String, Watchable.Cause> causes() {
    Map<String, Watchable.Cause> causes = new HashMap<>();
    for (Map.Entry<Topic, Watchable.Cause> entry : watched.causes().entrySet()) {
      causes.put(access.topics().name(entry.getKey()), entry.getValue());
    }
    return causes;
  }

  /** Before the first look: what changes while it is made is looked at after it. */
  private static void goToTheEnd(Consumer<String, byte[]> consumer, Set<String> topics) {
    List<TopicPartition> partitions =
        topics.stream()
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  private void follow(Consumer<String, byte[]> consumer, Map<String, Watchable.Cause> causes)
      throws InterruptedException {
    for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
      Watchable.Cause cause = causes.get(record.topic());
      Optional<String> key = cause == null ? Optional.empty() : cause.of(record.key());
      key.ifPresent(concerned -> looks.caused(concerned, clock.instant()));
    }
    for (String key : looks.take(clock.instant())) {
      try {
        if (key.equals(Looks.ALL)) {
          lookAtAll();
        } else {
          lookAt(key);
        }
      } catch (UnavailableException e) {
        looks.failed(key, e.waitFor(), clock.instant());
      }
    }
  }

  private Freshness lookAtAll() throws InterruptedException {
    Set<String> gone = new HashSet<>(told.keySet());
    Freshness freshness = look(wanted, null, gone);
    // One that ends has not come to the end of the list.
    for (String key : ended ? Set.<String>of() : gone) {
      remove(key);
    }
    return freshness;
  }

  private void lookAt(String key) throws InterruptedException {
    Optional<Q> one = watched.one().apply(wanted, key);
    if (one.isEmpty()) {
      return;
    }
    Set<String> gone = new HashSet<>(Set.of(key));
    look(one.get(), key, gone);
    if (!gone.isEmpty()) {
      remove(key);
    }
  }

  /**
   * Tells what is news of a list.
   *
   * @param only the only entry to tell of; null for every one
   * @param gone entries that are not there: those that are, are taken out of it
   */
  private Freshness look(Q request, @Nullable String only, Set<String> gone)
      throws InterruptedException {
    Freshness freshness = null;
    String token = "";
    do {
      R page =
          lister.page(
              watched.listing(),
              Fields.paged(request, PAGE, token),
              ReadOptions.getDefaultInstance());
      for (Object found : Fields.entries(page)) {
        T entry = watched.listing().entry().cast(found);
        String key = watched.listing().key().apply(entry);
        if (only == null || only.equals(key)) {
          gone.remove(key);
          tell(key, entry);
        }
      }
      Freshness read = Fields.freshness(page);
      freshness = freshness == null ? read : Reading.together(freshness, read);
      token = Fields.nextPageToken(page);
    } while (!token.isEmpty() && !ended);
    return freshness;
  }

  private void tell(String key, T entry) throws InterruptedException {
    Integer before = told.put(key, entry.hashCode());
    if (before == null || before != entry.hashCode()) {
      send(Fields.UPDATED, entry);
    }
  }

  private void remove(String key) throws InterruptedException {
    if (told.remove(key) != null) {
      send(Fields.REMOVED, watched.removed().apply(key));
    }
  }

  /** Waits until the client takes more: its buffer is the only one. */
  private void send(int kind, Message what) throws InterruptedException {
    synchronized (ready) {
      while (!to.isReady() && !ended) {
        ready.wait(POLL.toMillis());
      }
    }
    if (to.isCancelled()) {
      throw Status.CANCELLED.asRuntimeException();
    }
    to.onNext(Fields.change(watched.change(), kind, what));
  }
}
