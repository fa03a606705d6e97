package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.embedded.tls.Certificates;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.DetachCommand;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Two instances with TLS and tokens")
class SecuredInstancesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Tokens are {@code ann}, {@code eve} and {@code instance}; these are their SHA-256. */
  private static final String CALLERS =
      """
      ann.token=49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1
      ann.roles=operate
      ann.namespaces=a
      eve.token=85262adf74518bbb70c7cb94cd6159d91669e5a81edf1efebd543eadbda9fa2b
      eve.roles=read
      eve.namespaces=a
      instances.token=5e8c03a94c7835b87dd82c690f9f85c08592ef7433aa141ceaacb36a9f4da434
      instances.roles=read
      instances.namespaces=*
      """;

  @TempDir private static Path directory;
  private static final Topics topics = new Topics("secured");
  private static final List<BerthApp> apps = new ArrayList<>();
  private static final List<ManagedChannel> channels = new ArrayList<>();
  private static TestCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Certificates tls = Certificates.make(directory, "berth");
    Path callers = Files.writeString(directory.resolve("callers.properties"), CALLERS);
    Path secrets = Files.writeString(directory.resolve("secrets.properties"), "peer=instance\n");
    Map<String, String> security =
        Map.of(
            "api.tls.certificate", tls.cert().toString(),
            "api.tls.key", tls.key().toString(),
            "api.tls.ca", tls.cert().toString(),
            "api.tokens", callers.toString(),
            "api.peer-token", "${file:%s:peer}".formatted(secrets));
    ChannelCredentials trusting =
        TlsChannelCredentials.newBuilder().trustManager(tls.cert().toFile()).build();
    cluster = new TestCluster(directory);
    cluster.provision(topics);
    for (String name : List.of("one", "two")) {
      BerthApp app =
          new BerthApp(
              cluster.config(topics, directory.resolve(name), security), BerthTopology::build);
      apps.add(app);
      app.start();
      channels.add(Grpc.newChannelBuilder(app.apiAddress(), trusting).build());
    }
    for (BerthApp app : apps) {
      assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
    }
    QueriedInput input = new QueriedInput(cluster, topics);
    for (String volume : List.of("v1", "v2", "v3", "v4", "v5")) {
      input.volume("a", volume);
      input.volume("b", volume);
    }
  }

  @AfterAll
  static void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    apps.forEach(BerthApp::close);
    cluster.close();
  }

  @Test
  @DisplayName("answer for each other, and show a caller the caller's namespaces only")
  void lists() {
    for (BerthGrpc.BerthBlockingStub api : as("ann")) {
      await()
          .atMost(PATIENCE)
          .ignoreException(StatusRuntimeException.class)
          .untilAsserted(
              () ->
                  assertThat(
                          api.listVolumes(ListVolumesRequest.getDefaultInstance()).getVolumesList())
                      .extracting(
                          volume ->
                              volume.getRef().getNamespace() + "/" + volume.getRef().getVolume())
                      .containsExactly("a/v1", "a/v2", "a/v3", "a/v4", "a/v5"));
    }
    for (BerthGrpc.BerthBlockingStub api : as("ben")) {
      assertThatThrownBy(() -> api.listVolumes(ListVolumesRequest.getDefaultInstance()))
          .hasMessageStartingWith("UNAUTHENTICATED: the bearer token is not known");
    }
  }

  @Test
  @DisplayName("carry out a command of a caller in the caller's namespaces only")
  void commands() {
    BerthGrpc.BerthBlockingStub api = as("ann").get(0);

    SubmitCommandResponse answer = api.submitCommand(detach("a"));

    assertThat(answer.getCommandId()).isNotEmpty();
    assertThatThrownBy(() -> api.submitCommand(detach("b")))
        .hasMessage("PERMISSION_DENIED: namespace b is not among those of ann");
  }

  @Test
  @DisplayName("know a session that one of them gave for a one-time token of the other")
  void sessions() {
    String token =
        as("ann").get(0).openSession(OpenSessionRequest.getDefaultInstance()).getOneTimeToken();
    String session =
        BerthGrpc.newBlockingStub(channels.get(1))
            .redeemSession(RedeemSessionRequest.newBuilder().setOneTimeToken(token).build())
            .getSession();

    for (BerthGrpc.BerthBlockingStub api : as(session)) {
      await()
          .atMost(PATIENCE)
          .ignoreException(StatusRuntimeException.class)
          .untilAsserted(
              () ->
                  assertThat(
                          api.listVolumes(ListVolumesRequest.getDefaultInstance()).getVolumesList())
                      .extracting(volume -> volume.getRef().getNamespace())
                      .containsExactly("a", "a", "a", "a", "a"));
      assertThatThrownBy(() -> api.submitCommand(detach("a")))
          .hasMessageStartingWith("PERMISSION_DENIED: SubmitCommand needs the role operate");
    }
  }

  @Test
  @DisplayName("retry all stuck claims that match for an operator, and for nobody else")
  void redrive() {
    RetryStuckRequest all = RetryStuckRequest.newBuilder().setReason("test").build();

    for (BerthGrpc.BerthBlockingStub api : as("ann")) {
      assertThat(api.retryStuck(all))
          .toIterable()
          .containsExactly(
              RetryStuckResponse.newBuilder()
                  .setChosen(RetryStuckResponse.Chosen.getDefaultInstance())
                  .build());
    }
    assertThatThrownBy(() -> as("instance").get(0).retryStuck(all).next())
        .hasMessageStartingWith("PERMISSION_DENIED: RetryStuck needs the role operate");
  }

  @Test
  @DisplayName("end a watch when its session is closed, and when its caller is withdrawn")
  void watches() throws IOException {
    BerthGrpc.BerthBlockingStub ann = as("ann").get(0);
    String token = ann.openSession(OpenSessionRequest.getDefaultInstance()).getOneTimeToken();
    String session =
        ann.redeemSession(RedeemSessionRequest.newBuilder().setOneTimeToken(token).build())
            .getSession();
    Iterator<WatchClaimsResponse> ofSession = watch(session);
    Iterator<WatchClaimsResponse> ofEve = watch("eve");

    assertThat(ann.closeSession(CloseSessionRequest.newBuilder().setAll(true).build()).getClosed())
        .isPositive();
    Files.writeString(
        directory.resolve("callers.properties"), CALLERS.replaceAll("(?m)^eve.*\\R", ""));

    assertThatThrownBy(ofSession::hasNext).hasMessageStartingWith("UNAUTHENTICATED: the token,");
    assertThatThrownBy(ofEve::hasNext).hasMessageStartingWith("UNAUTHENTICATED: the token,");
  }

  /** One that has been told what there is. */
  private static Iterator<WatchClaimsResponse> watch(String token) {
    Iterator<WatchClaimsResponse> changes =
        as(token)
            .get(1)
            .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .watchClaims(WatchClaimsRequest.getDefaultInstance());
    assertThat(changes.next().hasSynced()).isTrue();
    return changes;
  }

  private static SubmitCommandRequest detach(String namespace) {
    return SubmitCommandRequest.newBuilder()
        .setReason("test")
        .setDetach(
            DetachCommand.newBuilder()
                .setRef(VolumeRef.newBuilder().setNamespace(namespace).setVolume("v1"))
                .setNode("n1"))
        .build();
  }

  private static List<BerthGrpc.BerthBlockingStub> as(String token) {
    Metadata headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    return channels.stream()
        .map(
            channel ->
                BerthGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers)))
        .toList();
  }
}
