package dev.berth.streams.query;

import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.Freshness;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListClaimsResponse;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import dev.berth.schemas.topics.Topic;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client's look at claims: first those that there are, then every change.
 *
 * <p>The topic of claims says which claim has changed, the stores say how it is. So what is told of
 * a claim never goes back behind what was told before, and several changes that come at once are
 * told as one. A store can be a moment behind the topic, whose transaction ends first: a changed
 * claim is looked at a second time after that moment, and told only if it differs.
 *
 * <p>While the client does not read, nothing is read for it: the topic keeps what it has not been
 * told. Its own thread runs it.
 */
final class ClaimWatch implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimWatch.class);
  private static final Duration POLL = Duration.ofMillis(200);

  /** By then the store has what was committed with the record, whatever its thread was about. */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  private static final int PAGE = 500;
  private static final int PARTS_OF_KEY = 3;

  private final WatchClaimsRequest request;
  private final TopicAccess access;
  private final Lister lister;
  private final ServerCallStreamObserver<WatchClaimsResponse> to;
  private final InstantSource clock;

  /** What was told last of each claim that matches, as a number: the claims would be too large. */
  private final Map<String, Integer> told = new HashMap<>();

  /** Claims to look at again, by when. */
  private final TreeMap<Instant, Set<String>> looks = new TreeMap<>();

  private final Object ready = new Object();
  private volatile boolean ended;

  ClaimWatch(
      WatchClaimsRequest request,
      TopicAccess access,
      Lister lister,
      ServerCallStreamObserver<WatchClaimsResponse> to,
      InstantSource clock) {
    this.request = request;
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
      goToTheEnd(consumer);
      snapshot();
      while (!ended) {
        Caller.requireStill();
        follow(consumer);
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

  /** Before the snapshot: what changes while it is made is looked at after it. */
  private void goToTheEnd(Consumer<String, byte[]> consumer) {
    List<TopicPartition> partitions =
        consumer.partitionsFor(access.topics().name(Topic.CLAIMS)).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToEnd(partitions);
    partitions.forEach(consumer::position);
  }

  private void snapshot() throws InterruptedException {
    String token = "";
    Freshness freshness = Freshness.getDefaultInstance();
    boolean first = true;
    do {
      ListClaimsResponse page = page(request.getFilter(), token, PAGE);
      for (Claim claim : page.getClaimsList()) {
        tell(VolumeLists.key(claim), claim);
      }
      freshness = first ? page.getFreshness() : Reading.together(freshness, page.getFreshness());
      first = false;
      token = page.getNextPageToken();
    } while (!token.isEmpty() && !ended);
    send(
        WatchClaimsResponse.newBuilder()
            .setSynced(WatchClaimsResponse.Synced.newBuilder().setFreshness(freshness))
            .build());
  }

  private void follow(Consumer<String, byte[]> consumer) throws InterruptedException {
    Instant now = clock.instant();
    Set<String> due = new LinkedHashSet<>();
    while (!looks.isEmpty() && !looks.firstKey().isAfter(now)) {
      due.addAll(looks.pollFirstEntry().getValue());
    }
    Set<String> changed = new LinkedHashSet<>();
    for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
      if (wanted(record.key())) {
        changed.add(record.key());
      }
    }
    due.addAll(changed);
    for (String key : due) {
      try {
        look(key);
      } catch (UnavailableException e) {
        lookAgain(key, e.waitFor());
      }
    }
    changed.forEach(key -> lookAgain(key, SECOND_LOOK));
  }

  private void lookAgain(String key, Duration wait) {
    looks.computeIfAbsent(clock.instant().plus(wait), none -> new LinkedHashSet<>()).add(key);
  }

  /** Whether a record can concern the watch, by its key alone. */
  private boolean wanted(String key) {
    String[] parts = key.split("/", -1);
    ClaimFilter filter = request.getFilter();
    return parts.length == PARTS_OF_KEY
        && Caller.current().sees(parts[0])
        && ClaimMessages.matches(filter.getNamespace(), parts[0])
        && ClaimMessages.matches(filter.getVolume(), parts[1])
        && ClaimMessages.matches(filter.getAlloc(), parts[2]);
  }

  /** Tells how a claim is now, if that is news. */
  private void look(String key) throws InterruptedException {
    String[] parts = key.split("/", -1);
    ClaimFilter one =
        request.getFilter().toBuilder()
            .setNamespace(parts[0])
            .setVolume(parts[1])
            .setAlloc(parts[2])
            .build();
    List<Claim> now = page(one, "", 1).getClaimsList();
    if (!now.isEmpty()) {
      tell(key, now.get(0));
    } else if (told.remove(key) != null) {
      send(
          WatchClaimsResponse.newBuilder()
              .setRemoved(
                  WatchClaimsResponse.Removed.newBuilder()
                      .setRef(Words.ref(parts[0], parts[1]))
                      .setAlloc(parts[2]))
              .build());
    }
  }

  private void tell(String key, Claim claim) throws InterruptedException {
    Integer before = told.put(key, claim.hashCode());
    if (before == null || before != claim.hashCode()) {
      send(WatchClaimsResponse.newBuilder().setUpdated(claim).build());
    }
  }

  private ListClaimsResponse page(ClaimFilter filter, String token, int size) {
    return lister.page(
        VolumeLists.CLAIMS,
        ListClaimsRequest.newBuilder()
            .setFilter(filter)
            .setPageToken(token)
            .setPageSize(size)
            .build(),
        ReadOptions.getDefaultInstance());
  }

  /** Waits until the client takes more: its buffer is the only one. */
  private void send(WatchClaimsResponse change) throws InterruptedException {
    synchronized (ready) {
      while (!to.isReady() && !ended) {
        ready.wait(POLL.toMillis());
      }
    }
    if (to.isCancelled()) {
      throw Status.CANCELLED.asRuntimeException();
    }
    to.onNext(change);
  }
}
