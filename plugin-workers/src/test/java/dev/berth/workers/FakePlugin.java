package dev.berth.workers;

import com.google.protobuf.Message;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ControllerServiceCapability;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeResponse;
import dev.berth.proto.csi.GetPluginCapabilitiesRequest;
import dev.berth.proto.csi.GetPluginCapabilitiesResponse;
import dev.berth.proto.csi.GetPluginInfoRequest;
import dev.berth.proto.csi.GetPluginInfoResponse;
import dev.berth.proto.csi.IdentityGrpc;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoRequest;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeResponse;
import dev.berth.proto.csi.NodeServiceCapability;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeResponse;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeResponse;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeResponse;
import dev.berth.proto.csi.PluginCapability;
import dev.berth.proto.csi.ProbeRequest;
import dev.berth.proto.csi.ProbeResponse;
import dev.berth.proto.csi.Topology;
import dev.berth.schemas.headers.Trace;
import dev.berth.workers.config.PluginAddress;
import io.grpc.Channel;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** A CSI plugin on a loopback port whose answers a test sets. */
public final class FakePlugin implements AutoCloseable {

  /** What it answers to Probe. */
  public volatile ProbeResponse probe = ProbeResponse.getDefaultInstance();

  /** How often it was asked. */
  public final AtomicInteger probes = new AtomicInteger();

  /** What it answers to GetPluginInfo. */
  public volatile GetPluginInfoResponse info =
      GetPluginInfoResponse.newBuilder().setName("ebs").setVendorVersion("1.2").build();

  /** Whether it advertises CONTROLLER_SERVICE. */
  public volatile boolean controllerService = true;

  /** What it answers to NodeGetInfo. */
  public volatile NodeGetInfoResponse nodeInfo =
      NodeGetInfoResponse.newBuilder()
          .setNodeId("i-1")
          .setMaxVolumesPerNode(25)
          .setAccessibleTopology(Topology.newBuilder().putSegments("zone", "z1"))
          .build();

  /** How a ControllerUnpublishVolume is answered. */
  public volatile Status detached = Status.OK;

  /** Whether the controller advertises attach and detach. */
  public volatile boolean attaches = true;

  /** What it does on ControllerPublishVolume. */
  public volatile BiConsumer<
          ControllerPublishVolumeRequest, StreamObserver<ControllerPublishVolumeResponse>>
      onPublish = (request, answer) -> answerWith(answer, "/dev/xvdf");

  /** The ControllerPublishVolume requests that came. */
  public final Queue<ControllerPublishVolumeRequest> published = new ConcurrentLinkedQueue<>();

  /** What it answers to ListVolumes; the status that it throws, if it does. */
  public volatile Function<ListVolumesRequest, ListVolumesResponse> onList =
      request -> ListVolumesResponse.getDefaultInstance();

  /** The ListVolumes requests that came. */
  public final Queue<ListVolumesRequest> listed = new ConcurrentLinkedQueue<>();

  /** The traces that the ControllerPublishVolume requests belong to. */
  public final Queue<Trace> traces = new ConcurrentLinkedQueue<>();

  private final Server server;
  private final PluginAddress address;

  private FakePlugin(int port, ServerCredentials credentials) throws IOException {
    server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), credentials)
            .addService(new Identity())
            .addService(new Controller())
            .intercept(new ReadTraces())
            .addService(new Node())
            .build()
            .start();
    address = new PluginAddress("127.0.0.1:" + server.getPort());
  }

  /** Starts one on a free port. */
  public static FakePlugin start() throws IOException {
    return start(InsecureServerCredentials.create());
  }

  /** Starts one on a free port that shows and asks for these credentials. */
  public static FakePlugin start(ServerCredentials credentials) throws IOException {
    return new FakePlugin(0, credentials);
  }

  /** Whether a plugin answers to Probe. */
  public static boolean answersProbe(Channel channel) {
    try {
      return IdentityGrpc.newBlockingStub(channel)
          .withDeadlineAfter(10, TimeUnit.SECONDS)
          .probe(ProbeRequest.getDefaultInstance())
          .isInitialized();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  /** Starts one where another was. */
  public static FakePlugin startAt(PluginAddress address) throws IOException {
    String text = address.text();
    return new FakePlugin(
        Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)),
        InsecureServerCredentials.create());
  }

  /** Where it listens. */
  public PluginAddress address() {
    return address;
  }

  /** Answers a ControllerPublishVolume with a device. */
  public static void answerWith(
      StreamObserver<ControllerPublishVolumeResponse> answer, String device) {
    answer(
        answer,
        ControllerPublishVolumeResponse.newBuilder().putPublishContext("device", device).build());
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  private static <T> void answer(StreamObserver<T> observer, T answer) {
    observer.onNext(answer);
    observer.onCompleted();
  }

  private final class ReadTraces implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      if (call.getMethodDescriptor() == ControllerGrpc.getControllerPublishVolumeMethod()) {
        traces.add(Trace.of(header(headers, Trace.PARENT), header(headers, Trace.STATE)));
      }
      return next.startCall(call, headers);
    }

    private static String header(Metadata headers, String key) {
      return Objects.requireNonNullElse(
          headers.get(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER)), "");
    }
  }

  private final class Identity extends IdentityGrpc.IdentityImplBase {
    @Override
    public void probe(ProbeRequest request, StreamObserver<ProbeResponse> answer) {
      probes.incrementAndGet();
      answer(answer, probe);
    }

    @Override
    public void getPluginInfo(
        GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> answer) {
      answer(answer, info);
    }

    @Override
    public void getPluginCapabilities(
        GetPluginCapabilitiesRequest request,
        StreamObserver<GetPluginCapabilitiesResponse> answer) {
      GetPluginCapabilitiesResponse.Builder response = GetPluginCapabilitiesResponse.newBuilder();
      if (controllerService) {
        response.addCapabilities(
            PluginCapability.newBuilder()
                .setService(
                    PluginCapability.Service.newBuilder()
                        .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE)));
      }
      answer(answer, response.build());
    }
  }

  private final class Controller extends ControllerGrpc.ControllerImplBase {
    @Override
    public void controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest request,
        StreamObserver<ControllerUnpublishVolumeResponse> answer) {
      if (detached.isOk()) {
        note(request, answer, ControllerUnpublishVolumeResponse.getDefaultInstance());
      } else {
        answer.onError(detached.asRuntimeException());
      }
    }

    @Override
    public void controllerPublishVolume(
        ControllerPublishVolumeRequest request,
        StreamObserver<ControllerPublishVolumeResponse> answer) {
      published.add(request);
      onPublish.accept(request, answer);
    }

    @Override
    public void listVolumes(
        ListVolumesRequest request, StreamObserver<ListVolumesResponse> answer) {
      listed.add(request);
      try {
        answer(answer, onList.apply(request));
      } catch (StatusRuntimeException e) {
        answer.onError(e);
      }
    }

    @Override
    public void controllerGetCapabilities(
        ControllerGetCapabilitiesRequest request,
        StreamObserver<ControllerGetCapabilitiesResponse> answer) {
      ControllerGetCapabilitiesResponse.Builder response =
          ControllerGetCapabilitiesResponse.newBuilder();
      (attaches
              ? List.of(
                  ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME,
                  ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)
              : List.<ControllerServiceCapability.RPC.Type>of())
          .forEach(
              type ->
                  response.addCapabilities(
                      ControllerServiceCapability.newBuilder()
                          .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))));
      answer(answer, response.build());
    }
  }

  /** Every other request of the controller and node services that came. */
  public final Queue<Message> others = new ConcurrentLinkedQueue<>();

  private <A> void note(Message request, StreamObserver<A> answer, A with) {
    others.add(request);
    answer(answer, with);
  }

  private final class Node extends NodeGrpc.NodeImplBase {
    @Override
    public void nodeStageVolume(
        NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> answer) {
      note(request, answer, NodeStageVolumeResponse.getDefaultInstance());
    }

    @Override
    public void nodePublishVolume(
        NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> answer) {
      note(request, answer, NodePublishVolumeResponse.getDefaultInstance());
    }

    @Override
    public void nodeUnpublishVolume(
        NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> answer) {
      note(request, answer, NodeUnpublishVolumeResponse.getDefaultInstance());
    }

    @Override
    public void nodeUnstageVolume(
        NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> answer) {
      note(request, answer, NodeUnstageVolumeResponse.getDefaultInstance());
    }

    @Override
    public void nodeGetInfo(
        NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> answer) {
      answer(answer, nodeInfo);
    }

    @Override
    public void nodeGetCapabilities(
        NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> answer) {
      answer(
          answer,
          NodeGetCapabilitiesResponse.newBuilder()
              .addCapabilities(
                  NodeServiceCapability.newBuilder()
                      .setRpc(
                          NodeServiceCapability.RPC
                              .newBuilder()
                              .setType(NodeServiceCapability.RPC.Type.STAGE_UNSTAGE_VOLUME)))
              .build());
    }
  }
}
