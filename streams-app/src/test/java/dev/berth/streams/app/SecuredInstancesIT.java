package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.DetachCommand;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.RedeemSessionRequest;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.VolumeRef;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.query.security.Certificates;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Two instances with TLS and tokens")
class SecuredInstancesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Tokens are {@code ann} and {@code instance}; these are their SHA-256. */
  private static final String CALLERS =
      """
      ann.token=49915e0d7d4b402e3017d010bc1c0e83cac6c797d6c16e66340fe3268693a6a1
      ann.roles=operate
      ann.namespaces=a
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
