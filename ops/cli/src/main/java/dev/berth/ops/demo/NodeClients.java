package dev.berth.ops.demo;

import dev.berth.producers.trace.TraceAlloc;
import dev.berth.producers.trace.TraceUse;
import dev.berth.producers.trace.Workload;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClaimReply;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * The schedulers' clients on the nodes, as far as they mount: they call the node plugin beside them
 * themselves, for plugins whose volumes no node worker mounts and which need no staging.
 *
 * <p>What they have mounted is known to the plugin and not to them: after a kill a mount that is
 * made again is answered OK, as the CSI specification asks.
 */
final class NodeClients implements Workload, AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int CALLS_AT_A_TIME = 8;

  private final BinaryOperator<String> addresses;
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();
  private final Map<String, CompletableFuture<Void>> last = new ConcurrentHashMap<>();
  private final ExecutorService calls =
      Executors.newFixedThreadPool(
          CALLS_AT_A_TIME,
          task -> {
            Thread thread = new Thread(task, "node-client");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Connects when first needed.
   *
   * @param addresses gRPC target by plugin and node
   */
  NodeClients(BinaryOperator<String> addresses) {
    this.addresses = addresses;
  }

  @Override
  public CompletableFuture<Void> mount(TraceAlloc alloc, TraceUse use, ClaimReply granted) {
    NodePublishVolumeRequest request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(use.volume().externalId())
            .putAllPublishContext(granted.getPublishContext())
            .setTargetPath(target(alloc, use))
            .setVolumeCapability(capability(use.volume().access()))
            .setReadonly(use.mode() == ClaimMode.READ)
            .build();
    return call(alloc, use, plugin -> plugin.nodePublishVolume(request));
  }

  @Override
  public CompletableFuture<Void> unmount(TraceAlloc alloc, TraceUse use) {
    NodeUnpublishVolumeRequest request =
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(use.volume().externalId())
            .setTargetPath(target(alloc, use))
            .build();
    return call(alloc, use, plugin -> plugin.nodeUnpublishVolume(request));
  }

  @Override
  public void close() {
    calls.shutdownNow();
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  /**
   * Calls when what was asked before for this volume on this node is over: a plugin may refuse a
   * call while another one for the volume is open there, and the one client of a node knows better.
   */
  private CompletableFuture<Void> call(
      TraceAlloc alloc, TraceUse use, Function<NodeGrpc.NodeBlockingStub, Object> rpc) {
    String place = alloc.node() + "/" + use.volume().id();
    return last.compute(
        place,
        (key, before) -> {
          CompletableFuture<?> over =
              before == null
                  ? CompletableFuture.completedFuture(null)
                  : before.handle((done, failure) -> null);
          return over.thenRunAsync(
              () -> {
                var unused = rpc.apply(plugin(use, alloc.node()));
              },
              calls);
        });
  }

  private NodeGrpc.NodeBlockingStub plugin(TraceUse use, String node) {
    String address = addresses.apply(use.volume().plugin(), node);
    return NodeGrpc.newBlockingStub(channels.computeIfAbsent(address, NodeClients::channel))
        .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static ManagedChannel channel(String address) {
    return Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
  }

  private static String target(TraceAlloc alloc, TraceUse use) {
    return "/allocs/" + alloc.id() + "/" + use.volume().id();
  }

  private static VolumeCapability capability(AccessMode access) {
    return VolumeCapability.newBuilder()
        .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode(access)))
        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
        .build();
  }

  private static Mode mode(AccessMode access) {
    return switch (access) {
      case SINGLE_NODE_READER -> Mode.SINGLE_NODE_READER_ONLY;
      case SINGLE_NODE_WRITER -> Mode.SINGLE_NODE_WRITER;
      case MULTI_NODE_READER -> Mode.MULTI_NODE_READER_ONLY;
      case MULTI_NODE_SINGLE_WRITER -> Mode.MULTI_NODE_SINGLE_WRITER;
      case MULTI_NODE_MULTI_WRITER -> Mode.MULTI_NODE_MULTI_WRITER;
    };
  }
}
