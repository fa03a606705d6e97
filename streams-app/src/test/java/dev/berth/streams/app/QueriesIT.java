package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.CallPlace;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListLanesResponse;
import dev.berth.proto.api.ListNodeSlotsRequest;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.ListVolumesResponse;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("Two instances with a partition of the volumes each")
class QueriesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> VOLUMES =
      List.of("a/v1", "a/v2", "a/v3", "a/v4", "a/v5", "b/v1", "b/v2", "b/v3");

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static final List<BerthApp> apps = new ArrayList<>();
  private static final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster(directory);
    Topics topics = new Topics("queries");
    cluster.provision(topics);
    for (String name : List.of("one", "two")) {
      BerthApp app =
          new BerthApp(
              cluster.config(topics, directory.resolve(name), Map.of()), BerthTopology::build);
      apps.add(app);
      app.start();
      channels.add(
          Grpc.newChannelBuilder(app.apiAddress(), InsecureChannelCredentials.create()).build());
    }
    for (BerthApp app : apps) {
      assertThat(app.awaitRunning(PATIENCE)).as(app.state().text()).isTrue();
    }
    QueriedInput input = new QueriedInput(cluster, topics);
    input.plugin();
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .untilAsserted(
            () -> {
              for (BerthGrpc.BerthBlockingStub api : stubs().toList()) {
                assertThat(
                        api.listPlugins(ListPluginsRequest.getDefaultInstance())
                            .getPlugins(0)
                            .getHealthyNodes())
                    .isEqualTo(1);
              }
            });
    for (String volume : VOLUMES) {
      String[] parts = volume.split("/", -1);
      input.volume(parts[0], parts[1]);
    }
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(() -> volumes(stubs().toList().get(0), "", 100).getVolumesCount() == 8);
    input.claim("a", "v1", "alloc-1");
    input.claim("a", "v1", "alloc-2");
    input.claim("b", "v1", "alloc-3");
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .until(
            () ->
                stubs()
                    .toList()
                    .get(0)
                    .listLanes(ListLanesRequest.getDefaultInstance())
                    .getPluginsList()
                    .stream()
                    .anyMatch(lanes -> lanes.getOpen() == 1 && lanes.getQueued() == 1));
  }

  @AfterAll
  static void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    apps.forEach(BerthApp::close);
    cluster.close();
  }

  static Stream<BerthGrpc.BerthBlockingStub> stubs() {
    return channels.stream().map(BerthGrpc::newBlockingStub);
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("list every volume, in the order of the keys, without secrets and mount flags")
  void everyVolume(BerthGrpc.BerthBlockingStub api) {
    ListVolumesResponse all = volumes(api, "", 100);

    assertThat(all.getVolumesList()).extracting(QueriesIT::name).isEqualTo(VOLUMES);
    assertThat(all.getFreshness().getComplete()).isTrue();
    assertThat(all.getNextPageToken()).isEmpty();
    assertThat(all.toString()).doesNotContain("hush");
    assertThat(all.getVolumes(0).getSecretNamesList()).containsExactly("token");
    assertThat(all.getVolumes(0).getMountFlags()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("give the same entries page by page")
  void pages(BerthGrpc.BerthBlockingStub api) {
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      ListVolumesResponse page = volumes(api, token, 3);
      assertThat(page.getVolumesCount()).isBetween(1, 3);
      page.getVolumesList().forEach(volume -> seen.add(name(volume)));
      token = page.getNextPageToken();
    } while (!token.isEmpty());

    assertThat(seen).isEqualTo(VOLUMES);
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("show on one screen who holds a volume, and where the call of its claim is")
  void oneVolume(BerthGrpc.BerthBlockingStub api) {
    GetVolumeResponse volume = api.getVolume(get("a", "v1"));

    assertThat(volume.getClaimsList())
        .extracting(Claim::getAlloc, Claim::getNextStep, Claim::getState)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("alloc-1", "attach", ClaimState.CLAIM_STATE_TAKEN),
            org.assertj.core.groups.Tuple.tuple("alloc-2", "wait", ClaimState.CLAIM_STATE_WAITING));
    assertThat(volume.getClaims(0).getCall().getPlace())
        .isIn(CallPlace.CALL_PLACE_OPEN, CallPlace.CALL_PLACE_QUEUED);
    assertThat(volume.getClaims(1).getHeldByList()).containsExactly("alloc-1");
    assertThat(volume.getSlotsList())
        .containsExactly(
            NodeSlots.newBuilder()
                .setPlugin("ebs")
                .setNode("n1")
                .setMaxVolumes(25)
                .setInUse(2)
                .build());
    assertThat(volume.toString()).doesNotContain("hush");
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("find a volume wherever it is, and say when it is nowhere")
  void routed(BerthGrpc.BerthBlockingStub api) {
    for (String volume : VOLUMES) {
      String[] parts = volume.split("/", -1);
      assertThat(name(api.getVolume(get(parts[0], parts[1])).getVolume())).isEqualTo(volume);
    }
    assertThat(failure(() -> api.getVolume(get("a", "v9"))).getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("list claims, lanes, slots, nodes and plugins alike")
  void otherLists(BerthGrpc.BerthBlockingStub api) {
    assertThat(
            api.listClaims(
                    ListClaimsRequest.newBuilder()
                        .setFilter(ClaimFilter.newBuilder().setNamespace("a"))
                        .build())
                .getClaimsList())
        .extracting(Claim::getAlloc)
        .containsExactly("alloc-1", "alloc-2");
    ListLanesResponse lanes = api.listLanes(ListLanesRequest.getDefaultInstance());
    assertThat(lanes.getPlugins(0).getLanesList())
        .extracting(
            lane -> lane.getLane(), lane -> lane.getQueuedAttaches(), lane -> lane.hasOpen())
        .containsExactly(org.assertj.core.groups.Tuple.tuple("ebs/controller", 1, true));
    assertThat(api.listNodeSlots(ListNodeSlotsRequest.getDefaultInstance()).getSlots(0).getInUse())
        .isEqualTo(2);
    assertThat(api.listNodes(ListNodesRequest.getDefaultInstance()).getNodes(0).getNode())
        .isEqualTo("n1");
  }

  @Test
  @DisplayName("refuse a page token of another list")
  void foreignToken() {
    BerthGrpc.BerthBlockingStub api = stubs().toList().get(0);
    String token = volumes(api, "", 3).getNextPageToken();

    Status refused =
        failure(() -> api.listClaims(ListClaimsRequest.newBuilder().setPageToken(token).build()));

    assertThat(refused.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refused.getDescription()).startsWith("page_token is none of ListClaims");
  }

  private static Status failure(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return Status.fromThrowable(org.assertj.core.api.Assertions.catchThrowable(call));
  }

  private static GetVolumeRequest get(String namespace, String volume) {
    return GetVolumeRequest.newBuilder()
        .setRef(VolumeRef.newBuilder().setNamespace(namespace).setVolume(volume))
        .build();
  }

  private static ListVolumesResponse volumes(
      BerthGrpc.BerthBlockingStub api, String token, int size) {
    return api.listVolumes(
        ListVolumesRequest.newBuilder().setPageSize(size).setPageToken(token).build());
  }

  private static String name(Volume volume) {
    return volume.getRef().getNamespace() + "/" + volume.getRef().getVolume();
  }
}
