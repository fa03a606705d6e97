package dev.berth.streams.query.session;

import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.OpenSessionResponse;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import dev.berth.records.ApiSession;
import dev.berth.records.SessionOffered;
import dev.berth.records.SessionOpened;
import dev.berth.records.SessionRedeemed;
import dev.berth.streams.query.Caller;
import dev.berth.streams.query.SessionDesk;
import dev.berth.streams.query.TopicAccess;
import dev.berth.streams.query.UnavailableException;
import dev.berth.streams.query.session.SessionTable.Offered;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions of this deployment, as far as this instance has read of them. Which redemption of a
 * one-time token was the first is decided by the order of the topic, alike for every instance.
 */
public final class Sessions implements SessionDesk {
  /** The session that the call under way was made with: the hash of its token. */
  public static final Context.Key<String> CURRENT = Context.key("berth-session");

  /** How long a session lasts. It is not renewed. */
  static final Duration SESSION_TIME = Duration.ofMinutes(15);

  /** How long a one-time token can be given for one. */
  static final Duration OFFER_TIME = Duration.ofMinutes(1);

  /** Sessions and one-time tokens of one caller (count). */
  static final int MOST = 64;

  /** Calls that wait at a time until this instance has read of their session (count). */
  private static final int LATECOMERS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

  private final Function<String, Optional<Caller>> callers;
  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  private final SessionTable table = new SessionTable();
  private final Semaphore latecomers = new Semaphore(LATECOMERS);

  /** A collection that is asked for while one waits is that one. */
  private final ExecutorService collector =
      new ThreadPoolExecutor(
          0,
          1,
          1,
          TimeUnit.MINUTES,
          new ArrayBlockingQueue<>(1),
          task -> {
            Thread thread = new Thread(task, "berth-api-session-gc");
            thread.setDaemon(true);
            return thread;
          },
          new ThreadPoolExecutor.DiscardPolicy());

  private @Nullable SessionLog log;

  /**
   * Prepares.
   *
   * @param callers who may call now, by name
   * @param clock tells what has expired
   */
  public Sessions(Function<String, Optional<Caller>> callers, InstantSource clock) {
    this.callers = callers;
    this.clock = clock;
  }

  @Override
  public synchronized void serve(TopicAccess access) {
    // Not the thread that reads: to write is to wait for the brokers.
    log = new SessionLog(access, table, clock, () -> collector.execute(this::collect));
  }

  /** Whether a bearer token is that of a session. */
  public static boolean isSession(String token) {
    return token.startsWith(Tokens.SESSION);
  }

  /**
   * The caller whose session a token is: with no more than the session was given, and no more than
   * the caller has now.
   *
   * @return empty for one that is not known, has ended, or whose caller is withdrawn
   * @throws UnavailableException when this instance cannot tell yet
   */
  public Optional<Caller> caller(String token) {
    if (!Tokens.isOne(Tokens.SESSION, token)) {
      return Optional.empty();
    }
    String key = Tokens.hash(token);
    Optional<Grant> grant = table.session(key, clock.instant());
    // It may have been given out by another instance just now. Few may wait for that: whoever sends
    // what is none must not keep others waiting.
    if (grant.isEmpty() && latecomers.tryAcquire()) {
      try {
        opened().catchUp();
      } finally {
        latecomers.release();
      }
      grant = table.session(key, clock.instant());
    }
    return grant.flatMap(this::within);
  }

  /** The same as far as this instance has read; does not wait for more. */
  public Optional<Caller> known(String token) {
    return table.session(Tokens.hash(token), clock.instant()).flatMap(this::within);
  }

  private Optional<Caller> within(Grant grant) {
    return callers.apply(grant.caller()).map(grant::within);
  }

  @Override
  public OpenSessionResponse open(OpenSessionRequest request) {
    Caller caller = Caller.current();
    Grant grant = GrantRequest.of(request, caller);
    SessionLog open = opened();
    open.catchUp();
    if (table.of(caller.name(), clock.instant()).size() >= MOST) {
      throw Status.RESOURCE_EXHAUSTED
          .withDescription(
              "%s has %d sessions and one-time tokens: close them, or wait until they expire"
                  .formatted(caller.name(), MOST))
          .asRuntimeException();
    }
    String token = Tokens.draw(Tokens.ONE_TIME, random);
    Instant expires = in(OFFER_TIME);
    open.write(
        Tokens.hash(token),
        new ApiSession(
            new SessionOffered(
                caller.name(), SessionTable.word(grant.role()), List.copyOf(grant.namespaces())),
            expires));
    LOG.info("api session offered caller={} role={}", caller.name(), grant.role());
    return OpenSessionResponse.newBuilder()
        .setOneTimeToken(token)
        .setExpiresAt(timestamp(expires))
        .build();
  }

  @Override
  public RedeemSessionResponse redeem(RedeemSessionRequest request) {
    String token = request.getOneTimeToken().strip();
    if (!Tokens.isOne(Tokens.ONE_TIME, token)) {
      throw refused();
    }
    String key = Tokens.hash(token);
    SessionLog open = opened();
    open.catchUp();
    // Who knows no token writes nothing: nobody fills the topic from outside.
    Offered offer = table.offer(key, clock.instant()).orElseThrow(Sessions::refused);
    Grant grant = offer.grant();
    if (callers.apply(grant.caller()).isEmpty()) {
      throw refused();
    }
    String redemption = UUID.randomUUID().toString();
    open.write(key, new ApiSession(new SessionRedeemed(redemption), offer.expires()));
    open.catchUp();
    if (!table.won(key, redemption)) {
      throw refused();
    }
    String session = Tokens.draw(Tokens.SESSION, random);
    Instant expires = in(SESSION_TIME);
    open.write(
        Tokens.hash(session),
        new ApiSession(
            new SessionOpened(
                grant.caller(), SessionTable.word(grant.role()), List.copyOf(grant.namespaces())),
            expires));
    LOG.info("api session opened caller={} role={}", grant.caller(), grant.role());
    return RedeemSessionResponse.newBuilder()
        .setSession(session)
        .setExpiresAt(timestamp(expires))
        .setCaller(grant.caller())
        .build();
  }

  @Override
  public CloseSessionResponse end(CloseSessionRequest request) {
    String caller = Caller.current().name();
    String own = CURRENT.get();
    SessionLog open = opened();
    open.catchUp();
    List<String> keys =
        table.of(caller, clock.instant()).stream()
            .filter(key -> request.getAll() || key.equals(own))
            .toList();
    keys.forEach(key -> open.write(key, null));
    open.catchUp();
    LOG.info("api sessions closed caller={} count={}", caller, keys.size());
    return CloseSessionResponse.newBuilder().setClosed(keys.size()).build();
  }

  /** Writes a tombstone for what has expired; another instance may do so too, which is the same. */
  private void collect() {
    try {
      SessionLog open = opened();
      List<String> expired = table.expired(clock.instant());
      expired.forEach(key -> open.write(key, null));
      LOG.debug("api sessions collected count={}", expired.size());
    } catch (RuntimeException e) {
      LOG.warn(
          "api sessions cannot be collected now; the next collection does: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    collector.shutdownNow();
    SessionLog open;
    synchronized (this) {
      open = log;
      log = null;
    }
    if (open != null) {
      open.close();
    }
  }

  private synchronized SessionLog opened() {
    if (log == null) {
      throw new UnavailableException("this instance starts", Duration.ofSeconds(1));
    }
    return log;
  }

  private Instant in(Duration time) {
    return clock.instant().plus(time).truncatedTo(ChronoUnit.MILLIS);
  }

  private static com.google.protobuf.Timestamp timestamp(Instant time) {
    return com.google.protobuf.Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }

  /** One answer for all reasons: whoever tries tokens learns nothing from it. */
  private static StatusRuntimeException refused() {
    return Status.UNAUTHENTICATED
        .withDescription(
            "the one-time token is not known, was used or has expired; get another one: berth"
                + " session open")
        .asRuntimeException();
  }
}
