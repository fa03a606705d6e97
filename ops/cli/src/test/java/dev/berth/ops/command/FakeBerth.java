package dev.berth.ops.command;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import com.google.rpc.Status;
import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.BerthGrpc.BerthImplBase;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.CloseSessionRequest;
import dev.berth.proto.api.CloseSessionResponse;
import dev.berth.proto.api.GetVolumeRequest;
import dev.berth.proto.api.GetVolumeResponse;
import dev.berth.proto.api.ListAttachmentsRequest;
import dev.berth.proto.api.ListAttachmentsResponse;
import dev.berth.proto.api.ListClaimsRequest;
import dev.berth.proto.api.ListClaimsResponse;
import dev.berth.proto.api.ListLanesRequest;
import dev.berth.proto.api.ListLanesResponse;
import dev.berth.proto.api.ListNodeSlotsRequest;
import dev.berth.proto.api.ListNodeSlotsResponse;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListNodesResponse;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListPluginsResponse;
import dev.berth.proto.api.ListStuckRequest;
import dev.berth.proto.api.ListStuckResponse;
import dev.berth.proto.api.ListVolumesRequest;
import dev.berth.proto.api.ListVolumesResponse;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.OpenSessionRequest;
import dev.berth.proto.api.OpenSessionResponse;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.RetryCommand;
import dev.berth.proto.api.RetryStuckRequest;
import dev.berth.proto.api.RetryStuckResponse;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.SubmitCommandRequest;
import dev.berth.proto.api.SubmitCommandResponse;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchStuckResponse;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.proto.api.WhyClaimResponse;
import dev.berth.streams.query.ApiSecurity;
import io.grpc.Server;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** An instance of the API that answers what a test tells it, one entry a page. */
final class FakeBerth extends BerthImplBase implements AutoCloseable {
  final List<Volume> volumes = new CopyOnWriteArrayList<>();
  final List<Claim> claims = new CopyOnWriteArrayList<>();
  final List<Stuck> stuck = new CopyOnWriteArrayList<>();
  final List<Plugin> plugins = new CopyOnWriteArrayList<>();
  final List<PluginLanes> lanes = new CopyOnWriteArrayList<>();
  final List<Node> nodes = new CopyOnWriteArrayList<>();
  final List<NodeSlots> slots = new CopyOnWriteArrayList<>();
  final List<WatchStuckResponse> changes = new CopyOnWriteArrayList<>();
  final List<Object> asked = new CopyOnWriteArrayList<>();
  final List<Attachment> attachments = new CopyOnWriteArrayList<>();
  OpenSessionResponse opened = OpenSessionResponse.getDefaultInstance();
  WhyClaimResponse why = WhyClaimResponse.getDefaultInstance();
  GetVolumeResponse volume = GetVolumeResponse.getDefaultInstance();
  Function<SubmitCommandRequest, SubmitCommandResponse> desk =
      request -> SubmitCommandResponse.newBuilder().setSummary("done").build();

  private final Deque<StatusRuntimeException> failures = new ArrayDeque<>();
  private final Server server;
  private final int port;

  FakeBerth() {
    this(ApiSecurity.NONE);
  }

  /** One that lets calls pass as an instance does. */
  FakeBerth(ApiSecurity security) {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), security.server())
            .addService(this);
    security.interceptors().forEach(builder::intercept);
    try {
      server = builder.build().start();
      port = server.getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** Lets the next call fail. */
  synchronized void fail(StatusRuntimeException failure) {
    failures.add(failure);
  }

  /** What an instance says while it restores its state. */
  static StatusRuntimeException notYet(long millis) {
    RetryInfo hint =
        RetryInfo.newBuilder()
            .setRetryDelay(Duration.newBuilder().setNanos((int) (millis * 1_000_000)))
            .build();
    return StatusProto.toStatusRuntimeException(
        Status.newBuilder()
            .setCode(Code.UNAVAILABLE_VALUE)
            .setMessage("partition 1 is restored")
            .addDetails(Any.pack(hint))
            .build());
  }

  @Override
  public void getVolume(GetVolumeRequest request, StreamObserver<GetVolumeResponse> to) {
    answer(request, to, () -> volume);
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> to) {
    int at = at(request.getPageToken());
    answer(
        request,
        to,
        () ->
            ListVolumesResponse.newBuilder()
                .addAllVolumes(page(volumes, at))
                .setNextPageToken(next(volumes, at))
                .build());
  }

  @Override
  public void listClaims(ListClaimsRequest request, StreamObserver<ListClaimsResponse> to) {
    int at = at(request.getPageToken());
    answer(
        request,
        to,
        () ->
            ListClaimsResponse.newBuilder()
                .addAllClaims(page(claims, at))
                .setNextPageToken(next(claims, at))
                .build());
  }

  @Override
  public void listAttachments(
      ListAttachmentsRequest request, StreamObserver<ListAttachmentsResponse> to) {
    answer(
        request,
        to,
        () -> ListAttachmentsResponse.newBuilder().addAllAttachments(attachments).build());
  }

  /** Chooses everything that is stuck, and asks the desk for each. */
  @Override
  public void retryStuck(RetryStuckRequest request, StreamObserver<RetryStuckResponse> to) {
    asked.add(request);
    to.onNext(
        RetryStuckResponse.newBuilder()
            .setChosen(RetryStuckResponse.Chosen.newBuilder().setClaims(stuck.size()))
            .build());
    for (Stuck each : stuck) {
      RetryStuckResponse.Builder step = RetryStuckResponse.newBuilder();
      to.onNext(
          (request.getDryRun() ? step.setFound(each) : step.setRetried(retried(each))).build());
    }
    to.onCompleted();
  }

  private RetryStuckResponse.Retried retried(Stuck each) {
    RetryStuckResponse.Retried.Builder told =
        RetryStuckResponse.Retried.newBuilder()
            .setRef(each.getClaim().getRef())
            .setAlloc(each.getClaim().getAlloc());
    try {
      return told.setAnswer(
              desk.apply(
                  SubmitCommandRequest.newBuilder()
                      .setRetry(
                          RetryCommand.newBuilder()
                              .setRef(each.getClaim().getRef())
                              .setAlloc(each.getClaim().getAlloc()))
                      .build()))
          .build();
    } catch (StatusRuntimeException e) {
      return told.setFailure(e.getMessage()).build();
    }
  }

  @Override
  public void openSession(OpenSessionRequest request, StreamObserver<OpenSessionResponse> to) {
    answer(request, to, () -> opened);
  }

  @Override
  public void closeSession(CloseSessionRequest request, StreamObserver<CloseSessionResponse> to) {
    answer(request, to, () -> CloseSessionResponse.newBuilder().setClosed(2).build());
  }

  @Override
  public void listStuck(ListStuckRequest request, StreamObserver<ListStuckResponse> to) {
    int at = at(request.getPageToken());
    answer(
        request,
        to,
        () ->
            ListStuckResponse.newBuilder()
                .addAllStuck(page(stuck, at))
                .setNextPageToken(next(stuck, at))
                .build());
  }

  @Override
  public void listPlugins(ListPluginsRequest request, StreamObserver<ListPluginsResponse> to) {
    answer(request, to, () -> ListPluginsResponse.newBuilder().addAllPlugins(plugins).build());
  }

  @Override
  public void listLanes(ListLanesRequest request, StreamObserver<ListLanesResponse> to) {
    answer(request, to, () -> ListLanesResponse.newBuilder().addAllPlugins(lanes).build());
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> to) {
    answer(request, to, () -> ListNodesResponse.newBuilder().addAllNodes(nodes).build());
  }

  @Override
  public void listNodeSlots(
      ListNodeSlotsRequest request, StreamObserver<ListNodeSlotsResponse> to) {
    answer(request, to, () -> ListNodeSlotsResponse.newBuilder().addAllSlots(slots).build());
  }

  @Override
  public void whyClaim(WhyClaimRequest request, StreamObserver<WhyClaimResponse> to) {
    answer(request, to, () -> why);
  }

  @Override
  public void watchStuck(WatchStuckRequest request, StreamObserver<WatchStuckResponse> to) {
    asked.add(request);
    changes.forEach(to::onNext);
    StatusRuntimeException failure;
    synchronized (this) {
      failure = failures.poll();
    }
    if (failure == null) {
      to.onCompleted();
    } else {
      to.onError(failure);
    }
  }

  @Override
  public void submitCommand(
      SubmitCommandRequest request, StreamObserver<SubmitCommandResponse> to) {
    answer(request, to, () -> desk.apply(request));
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private <R> void answer(
      Object request, StreamObserver<R> to, java.util.function.Supplier<R> answer) {
    asked.add(request);
    StatusRuntimeException failure;
    synchronized (this) {
      failure = failures.poll();
    }
    if (failure != null) {
      to.onError(failure);
      return;
    }
    try {
      to.onNext(answer.get());
      to.onCompleted();
    } catch (StatusRuntimeException e) {
      to.onError(e);
    }
  }

  private static int at(String token) {
    return token.isEmpty() ? 0 : Integer.parseInt(token);
  }

  private static <E> List<E> page(List<E> all, int at) {
    return all.subList(at, Math.min(at + 1, all.size()));
  }

  private static String next(List<?> all, int at) {
    return at + 1 < all.size() ? Integer.toString(at + 1) : "";
  }
}
