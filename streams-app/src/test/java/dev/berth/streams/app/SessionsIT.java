package dev.berth.streams.app;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RedeemSessionResponse;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.records.GarbageCollection;
import dev.berth.records.Signal;
import dev.berth.schemas.registry.Registry;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.query.ApiConfig;
import dev.berth.streams.query.ApiSecurity;
import dev.berth.streams.query.ApiServer;
import dev.berth.streams.query.TopicAccess;
import dev.berth.streams.query.security.ConfiguredSecurity;
import dev.berth.streams.query.security.SecurityConfig;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Sessions of two instances")
class SessionsIT {
  private static final ApiConfig ANY_PORT =
      new ApiConfig(new ApiConfig.Address("127.0.0.1", 0), Optional.empty());

  /** The token is {@code ann}; this is its SHA-256. */
  private static final String ANN =
      """
      ann.token=49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1
      ann.roles=%s
      ann.namespaces=a,b
      """;

  private static final String OTHER =
      """
      instances.token=5e8c03a94c7835b87dd82c690f9f85c08592ef7433aa141ceaacb36a9f4da434
      instances.roles=read
      instances.namespaces=*
      """;

  @TempDir private static Path directory;
  private static final Topics topics = new Topics("sessions");

  /** In the past: brokers refuse what is said to come from the future. */
  private static final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

  private static final InstantSource clock = now::get;
  private static final List<ApiServer> servers = new ArrayList<>();
  private static final List<ManagedChannel> channels = new ArrayList<>();
  private static final List<Registry> registries = new ArrayList<>();
  private static TestCluster cluster;
  private static Path callers;

  @BeforeAll
  static void start() throws IOException {
    cluster = new TestCluster(directory);
    cluster.provision(topics);
    callers = directory.resolve("callers.properties");
    callers("operate");
    AppConfig config = cluster.config(topics, directory, Map.of());
    for (int i = 0; i < 2; i++) {
      Registry registry = cluster.client();
      registries.add(registry);
      ApiSecurity security =
          ConfiguredSecurity.of(
              new SecurityConfig(Optional.empty(), Optional.of(callers), Optional.empty()),
              ANY_PORT,
              clock);
      // It has no stores: what is let pass is told that the instance starts.
      ApiServer server = new ApiServer(ANY_PORT, security);
      security
          .sessions()
          .serve(
              new TopicAccess(
                  topics,
                  registry,
                  () -> new KafkaConsumer<>(KafkaSettings.consumer(config)),
                  () -> new KafkaProducer<>(KafkaSettings.producer(config))));
      servers.add(server);
      channels.add(
          Grpc.newChannelBuilder(server.address(), InsecureChannelCredentials.create()).build());
    }
  }

  @AfterAll
  static void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    servers.forEach(ApiServer::close);
    registries.forEach(Registry::close);
    cluster.close();
  }

  @BeforeEach
  void callersAsTheyWere() throws IOException {
    callers("operate");
  }

  @Test
  @DisplayName("are given for a one-time token at any instance, once, and known to both")
  void acrossInstances() {
    String token = open(0, "operate");

    RedeemSessionResponse session = redeem(1, token);

    assertThat(session.getCaller()).isEqualTo("ann");
    assertThat(session.getSession()).startsWith("s.");
    assertThat(list(0, session.getSession())).isEqualTo("passed");
    assertThat(list(1, session.getSession())).isEqualTo("passed");
    assertThat(command(0, session.getSession())).isEqualTo("passed");
    for (int instance : List.of(0, 1)) {
      assertThatThrownBy(() -> redeem(instance, token))
          .hasMessageStartingWith("UNAUTHENTICATED: the one-time token is not known, was used");
    }
  }

  @Test
  @DisplayName("go to one of many who redeem the same token at the same time")
  void race() throws Exception {
    String token = open(0, "read");
    List<Callable<String>> racers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int instance = i % 2;
      racers.add(() -> outcome(() -> redeem(instance, token).getSession()));
    }
    ExecutorService threads = Executors.newFixedThreadPool(racers.size());
    List<String> outcomes = new ArrayList<>();
    try {
      for (Future<String> each : threads.invokeAll(racers)) {
        outcomes.add(each.get());
      }
    } finally {
      threads.shutdownNow();
    }

    List<String> sessions = outcomes.stream().filter(each -> each.startsWith("s.")).toList();
    assertThat(sessions).hasSize(1);
    assertThat(outcomes).filteredOn(each -> !each.startsWith("s.")).containsOnly("UNAUTHENTICATED");
    assertThat(list(1, sessions.get(0))).isEqualTo("passed");
  }

  @Test
  @DisplayName("are not given for a token that has expired, and end after a quarter of an hour")
  void expiry() {
    String token = open(0, "read");
    String session = redeem(0, open(1, "read")).getSession();

    pass(Duration.ofSeconds(60));

    assertThat(outcome(() -> redeem(1, token).getSession())).isEqualTo("UNAUTHENTICATED");
    assertThat(list(1, session)).isEqualTo("passed");

    pass(Duration.ofMinutes(14));

    assertThat(list(0, session)).isEqualTo("UNAUTHENTICATED");
    assertThat(list(1, session)).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  @DisplayName("may no more than their caller may now, and nothing when the caller is withdrawn")
  void withdrawn() throws IOException {
    String token = open(0, "operate");
    String session = redeem(0, open(0, "operate")).getSession();

    callers("read");

    assertThat(list(0, session)).isEqualTo("passed");
    assertThat(command(0, session)).isEqualTo("PERMISSION_DENIED");

    Files.writeString(callers, OTHER);
    pass(Duration.ofSeconds(2));

    assertThat(list(0, session)).isEqualTo("UNAUTHENTICATED");
    assertThat(list(1, session)).isEqualTo("UNAUTHENTICATED");
    assertThat(outcome(() -> redeem(1, token).getSession())).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  @DisplayName("are handed on by nobody, and are never more than their caller's")
  void bounds() {
    String session = redeem(0, open(0, "operate")).getSession();

    assertThat(outcome(() -> stub(0, "Bearer " + session).openSession(asked("read", "a"))))
        .isEqualTo("PERMISSION_DENIED");
    assertThatThrownBy(() -> stub(0, "Bearer ann").openSession(asked("admin", "a")))
        .hasMessageStartingWith("PERMISSION_DENIED: role admin is more than ann has");
    assertThatThrownBy(() -> stub(0, "Bearer ann").openSession(asked("read", "c")))
        .hasMessageStartingWith("PERMISSION_DENIED: namespace c is not among those of ann");
    assertThatThrownBy(() -> stub(0, "Bearer ann").openSession(asked("root", "a")))
        .hasMessage("INVALID_ARGUMENT: role 'root' is none: write read, operate, admin");
  }

  @Test
  @DisplayName("end when they are closed, one's own or all, unused tokens included")
  void closed() {
    String first = redeem(0, open(0, "read")).getSession();
    String second = redeem(1, open(1, "read")).getSession();
    String unused = open(1, "read");

    assertThat(close(1, "Bearer " + first, false)).isEqualTo(1);

    assertThat(list(0, first)).isEqualTo("UNAUTHENTICATED");
    assertThat(list(1, first)).isEqualTo("UNAUTHENTICATED");
    assertThat(list(0, second)).isEqualTo("passed");
    assertThat(close(0, "Bearer ann", false)).isEqualTo(0);
    assertThat(close(0, "Bearer ann", true)).isGreaterThanOrEqualTo(2);
    assertThat(outcome(() -> redeem(1, unused).getSession())).isEqualTo("UNAUTHENTICATED");
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(list(1, second)).isEqualTo("UNAUTHENTICATED"));
  }

  @Test
  @DisplayName("come as a cookie that no script can read, and are known by it")
  void cookie() {
    AtomicReference<Metadata> headers = new AtomicReference<>();
    RedeemSessionResponse answer =
        BerthGrpc.newBlockingStub(channels.get(1))
            .withInterceptors(
                MetadataUtils.newCaptureMetadataInterceptor(headers, new AtomicReference<>()))
            .redeemSession(
                RedeemSessionRequest.newBuilder()
                    .setOneTimeToken(open(0, "read"))
                    .setCookie(true)
                    .build());

    assertThat(answer.getSession()).isEmpty();
    String cookie = headers.get().get(ascii("set-cookie"));
    assertThat(cookie)
        .matches(
            "__Host-berth-session=s\\.[A-Za-z0-9_-]{43}; Max-Age=900; Path=/; HttpOnly; Secure;"
                + " SameSite=Strict");
    Metadata sent = new Metadata();
    sent.put(ascii("cookie"), "a=b; " + cookie.substring(0, cookie.indexOf(';')));
    assertThat(list(0, sent)).isEqualTo("passed");
    sent = new Metadata();
    sent.put(ascii("cookie"), "__Host-berth-session=s." + "x".repeat(43));
    assertThat(list(0, sent)).isEqualTo("UNAUTHENTICATED");
  }

  @Test
  @DisplayName(
      "are on the topic by their hashes alone, and go with the collection of garbage behind their"
          + " expiry")
  void topic() throws Exception {
    String token = open(0, "operate");
    String session = redeem(1, token).getSession();

    assertThat(records())
        .allSatisfy(
            record -> {
              assertThat(record.key()).matches("[0-9a-f]{64}");
              String text =
                  record.value() == null
                      ? ""
                      : new String(record.value(), StandardCharsets.ISO_8859_1);
              assertThat(text).doesNotContain(token.substring(2), session.substring(2));
            });
    assertThat(rows()).isNotEmpty();

    collectGarbage();
    // What has not expired stays.
    assertThat(list(0, session)).isEqualTo("passed");

    pass(Duration.ofMinutes(15));
    assertThat(rows()).containsValue("row");
    collectGarbage();

    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(rows().values()).containsOnly("tombstone"));
  }

  /** As {@code Cluster} says it, every {@code gc.interval} and on {@code berth gc}. */
  private static void collectGarbage() throws Exception {
    cluster.put(
        topics,
        Topic.VOLUME_SIGNALS,
        0,
        new Signal(now.get(), new GarbageCollection(false, "")),
        Signal.class);
  }

  private static void callers(String role) throws IOException {
    Files.writeString(callers, ANN.formatted(role) + OTHER);
    pass(Duration.ofSeconds(2));
  }

  private static void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  private static OpenSessionRequest asked(String role, String... namespaces) {
    return OpenSessionRequest.newBuilder()
        .setRole(role)
        .addAllNamespaces(Arrays.asList(namespaces))
        .build();
  }

  private static String open(int instance, String role) {
    String token = stub(instance, "Bearer ann").openSession(asked(role, "a")).getOneTimeToken();
    assertThat(token).startsWith("o.");
    return token;
  }

  private static RedeemSessionResponse redeem(int instance, String token) {
    return BerthGrpc.newBlockingStub(channels.get(instance))
        .redeemSession(RedeemSessionRequest.newBuilder().setOneTimeToken(token).build());
  }

  private static int close(int instance, String authorization, boolean all) {
    return stub(instance, authorization)
        .closeSession(CloseSessionRequest.newBuilder().setAll(all).build())
        .getClosed();
  }

  private static String list(int instance, String session) {
    Metadata headers = new Metadata();
    headers.put(ascii("authorization"), "Bearer " + session);
    return list(instance, headers);
  }

  private static String list(int instance, Metadata headers) {
    return outcome(
        () -> stub(instance, headers).listVolumes(ListVolumesRequest.getDefaultInstance()));
  }

  private static String command(int instance, String session) {
    return outcome(
        () ->
            stub(instance, "Bearer " + session)
                .submitCommand(SubmitCommandRequest.getDefaultInstance()));
  }

  /** The answer, or {@code passed} where only the stores are missing, or the code of a refusal. */
  private static String outcome(Callable<?> call) {
    try {
      return String.valueOf(call.call());
    } catch (StatusRuntimeException e) {
      return String.valueOf(e.getStatus().getDescription()).contains(" starts; try again in ")
          ? "passed"
          : e.getStatus().getCode().name();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static BerthGrpc.BerthBlockingStub stub(int instance, String authorization) {
    Metadata headers = new Metadata();
    headers.put(ascii("authorization"), authorization);
    return stub(instance, headers);
  }

  private static BerthGrpc.BerthBlockingStub stub(int instance, Metadata headers) {
    return BerthGrpc.newBlockingStub(channels.get(instance))
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private static List<ConsumerRecord<String, byte[]>> records() {
    return cluster.read(topics, Topic.API_SESSIONS, new ByteArrayDeserializer());
  }

  private static Map<String, String> rows() {
    return records().stream()
        .collect(
            toMap(
                ConsumerRecord::key,
                record -> record.value() == null ? "tombstone" : "row",
                (before, after) -> after));
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
