package dev.berth.streams.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import com.google.rpc.RetryInfo;
import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.CallPlace;
import dev.berth.proto.api.Cause;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.FenceCommand;
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
import dev.berth.proto.api.PauseCommand;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.RetryCommand;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.proto.api.WhyClaimResponse;
import dev.berth.records.CommandResult;
import dev.berth.schemas.headers.Trace;
import dev.berth.schemas.headers.Traces;
import dev.berth.schemas.topics.Topic;
import dev.berth.schemas.topics.Topics;
import dev.berth.streams.topology.BerthTopology;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisplayName("Two instances with a partition of the volumes each")
class QueriesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final List<String> VOLUMES =
      List.of("a/v1", "a/v2", "a/v3", "a/v4", "a/v5", "b/v1", "b/v2", "b/v3");

  private static final Trace TRACE =
      new Trace("00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01", "");

  private static final int LATE = 1_000_000_000 + 1_000_000_000;
  private static final int LAST = Integer.MAX_VALUE;

  @TempDir private static Path directory;
  private static final Topics topics = new Topics("queries");
  private static QueriedInput input;
  private static TestCluster cluster;
  private static final List<BerthApp> apps = new ArrayList<>();
  private static final List<ManagedChannel> channels = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    cluster = new TestCluster(directory);
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
    input = new QueriedInput(cluster, topics);
    input.plugin();
    await()
        .atMost(PATIENCE)
        .ignoreException(StatusRuntimeException.class)
        .untilAsserted(
            () -> {
              for (BerthGrpc.BerthBlockingStub api : stubs().toList()) {
                assertThat(
                        api.listPlugins(ListPluginsRequest.getDefaultInstance()).getPluginsList())
                    .anyMatch(plugin -> plugin.getHealthyNodes() == 1);
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
            tuple("alloc-1", "attach", ClaimState.CLAIM_STATE_TAKEN),
            tuple("alloc-2", "wait", ClaimState.CLAIM_STATE_WAITING));
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
        .containsExactly(tuple("ebs/controller", 1, true));
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

  @Test
  @Order(LATE)
  @DisplayName("carry out a command once, however often it is asked with its id")
  void commandOnce() {
    List<BerthGrpc.BerthBlockingStub> apis = stubs().toList();
    SubmitCommandRequest retry =
        SubmitCommandRequest.newBuilder()
            .setCommandId("retry-1")
            .setAuthor("ann")
            .setReason("seen in a test")
            .setRetry(
                RetryCommand.newBuilder()
                    .setRef(VolumeRef.newBuilder().setNamespace("a").setVolume("v1")))
            .build();

    Metadata trace = new Metadata();
    trace.put(Metadata.Key.of(Trace.PARENT, Metadata.ASCII_STRING_MARSHALLER), TRACE.parent());

    SubmitCommandResponse first =
        apis.get(0)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(trace))
            .withDeadlineAfter(PATIENCE)
            .submitCommand(retry);
    SubmitCommandResponse again = apis.get(1).withDeadlineAfter(PATIENCE).submitCommand(retry);

    assertThat(first.getCommandId()).isEqualTo("retry-1");
    assertThat(first.hasDecidedAt()).isTrue();
    assertThat(again).isEqualTo(first);
    assertThat(cluster.read(topics, Topic.COMMAND_RESULTS, CommandResult.class))
        .filteredOn(record -> record.key().equals("retry-1"))
        .extracting(record -> Traces.of(record.headers()))
        .as("the answer belongs to the trace of the call")
        .containsExactly(Traces.of(TRACE));
  }

  @Test
  @Order(LATE)
  @DisplayName("refuse the id of another command, and a command that lacks its reason")
  void commandRefused() {
    BerthGrpc.BerthBlockingStub api = stubs().toList().get(0).withDeadlineAfter(PATIENCE);
    SubmitCommandRequest.Builder pause =
        SubmitCommandRequest.newBuilder()
            .setCommandId("retry-1")
            .setPause(PauseCommand.newBuilder().setPlugin("ebs"));

    assertThat(failure(() -> api.submitCommand(pause.build())).getDescription())
        .isEqualTo(
            "command_id=retry-1: it was used before, for RetryVolume of a/v1; choose another");
    assertThat(
            failure(
                () ->
                    api.submitCommand(
                        SubmitCommandRequest.newBuilder()
                            .setFence(FenceCommand.newBuilder().setNode("n1"))
                            .build())))
        .extracting(Status::getCode, Status::getDescription)
        .containsExactly(
            Status.Code.INVALID_ARGUMENT,
            "reason is empty: say why, since this overrides what Berth knows");
  }

  @ParameterizedTest
  @MethodSource("stubs")
  @DisplayName("tell how a claim came to where it is, with the records that say so")
  void why(BerthGrpc.BerthBlockingStub api) {
    WhyClaimResponse why =
        api.whyClaim(
            WhyClaimRequest.newBuilder()
                .setRef(VolumeRef.newBuilder().setNamespace("a").setVolume("v1"))
                .setAlloc("alloc-2")
                .build());

    assertThat(why.getReasonsList())
        .extracting(WhyClaimResponse.Reason::getCode)
        .containsExactly("capacity");
    assertThat(why.getChainList())
        .extracting(Cause::getKind, Cause::getName, cause -> cause.getPosition().getTopic())
        .containsExactly(
            tuple(Cause.Kind.KIND_EVENT, "claim-requested", "alloc-events"),
            tuple(Cause.Kind.KIND_DECISION, "waiting", "claim-history"));
    assertThat(why.toString()).doesNotContain("hush");
  }

  @Test
  @DisplayName("tell the call that a claim has caused")
  void whyCalled() {
    List<String> calls = new ArrayList<>();
    for (String[] claim : List.of(new String[] {"a", "alloc-1"}, new String[] {"b", "alloc-3"})) {
      stubs()
          .toList()
          .get(0)
          .whyClaim(
              WhyClaimRequest.newBuilder()
                  .setRef(VolumeRef.newBuilder().setNamespace(claim[0]).setVolume("v1"))
                  .setAlloc(claim[1])
                  .build())
          .getChainList()
          .stream()
          .filter(cause -> cause.getKind() == Cause.Kind.KIND_CALL)
          .forEach(cause -> calls.add(cause.getName()));
    }

    assertThat(calls).as("one of the two is out").containsExactly("ControllerPublishVolume");
  }

  @Test
  @Order(LATE)
  @DisplayName("send what is there, then what changes, until the client has enough")
  void watch() throws Exception {
    BlockingQueue<WatchClaimsResponse> seen = new LinkedBlockingQueue<>();
    Context.CancellableContext client = Context.current().withCancellation();
    client.run(
        () ->
            BerthGrpc.newStub(channels.get(1))
                .watchClaims(
                    WatchClaimsRequest.newBuilder()
                        .setFilter(ClaimFilter.newBuilder().setNamespace("b"))
                        .build(),
                    new Collecting(seen)));
    assertThat(next(seen).getUpdated().getAlloc()).isEqualTo("alloc-3");
    assertThat(next(seen).getSynced().getFreshness().getComplete()).isTrue();

    input.claim("b", "v2", "alloc-9");
    await().atMost(PATIENCE).until(() -> next(seen).getUpdated().getAlloc().equals("alloc-9"));
    input.ended("b", "v2", "alloc-9");
    await().atMost(PATIENCE).until(() -> next(seen).getRemoved().getAlloc().equals("alloc-9"));

    client.cancel(null);
  }

  /** The last: the instances share the partitions anew, and one of them cannot be reached. */
  @Test
  @Order(LAST)
  @DisplayName("say which instance does not answer and how long to wait, or leave its part out")
  void silentInstance() throws Exception {
    BerthGrpc.BerthBlockingStub api = stubs().toList().get(0);
    AppConfig silent =
        cluster.config(topics, directory.resolve("three"), Map.of("api.advertised", "127.0.0.1:1"));
    try (BerthApp app = new BerthApp(silent, BerthTopology::build)) {
      app.start();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                StatusRuntimeException failure = anyList(api, ReadOptions.getDefaultInstance());
                assertThat(failure).isNotNull();
                assertThat(failure.getStatus().getDescription()).contains("127.0.0.1:1");
                assertThat(StatusProto.fromThrowable(failure).getDetails(0).is(RetryInfo.class))
                    .isTrue();
              });
      assertThat(anyList(api, ReadOptions.newBuilder().setAllowPartial(true).build())).isNull();
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(anyList(api, ReadOptions.getDefaultInstance())).isNull());
    assertThat(volumes(api, "", 100).getVolumesList())
        .extracting(QueriesIT::name)
        .isEqualTo(VOLUMES);
  }

  /** The first failure of a list of each store; whatever the silent one has, one of them fails. */
  private static @Nullable StatusRuntimeException anyList(
      BerthGrpc.BerthBlockingStub api, ReadOptions options) {
    try {
      api.listVolumes(ListVolumesRequest.newBuilder().setOptions(options).build());
      api.listLanes(ListLanesRequest.newBuilder().setOptions(options).build());
      api.listPlugins(ListPluginsRequest.newBuilder().setOptions(options).build());
      return null;
    } catch (StatusRuntimeException e) {
      return e;
    }
  }

  private static WatchClaimsResponse next(BlockingQueue<WatchClaimsResponse> seen)
      throws InterruptedException {
    WatchClaimsResponse next = seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  /** Keeps what is sent. */
  private record Collecting(BlockingQueue<WatchClaimsResponse> seen)
      implements StreamObserver<WatchClaimsResponse> {
    @Override
    public void onNext(WatchClaimsResponse change) {
      seen.add(change);
    }

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  private static Status failure(ThrowingCallable call) {
    return Status.fromThrowable(catchThrowable(call));
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
