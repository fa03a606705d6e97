package dev.berth.ops.demo;

import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.VolumeCapability;
import dev.berth.proto.csi.VolumeCapability.AccessMode.Mode;
import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * The schedulers' clients on the nodes, as far as they mount: they call the node plugin beside them
 * themselves, for plugins whose volumes no node worker mounts and which need no staging.
 */
final class NodeClients implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

  private final BinaryOperator<String> addresses;
  private final Map<String, ManagedChannel> channels = new ConcurrentHashMap<>();

  /**
   * Connects when first needed.
   *
   * @param addresses gRPC target by plugin and node
   */
  NodeClients(BinaryOperator<String> addresses) {
    this.addresses = addresses;
  }

  /**
   * Mounts a volume for an alloc.
   *
   * @param publishContext that of the reply to the claim
   * @throws io.grpc.StatusRuntimeException when the plugin refuses
   */
  void mount(DemoAlloc alloc, DemoUse use, Map<String, String> publishContext)
      throws InterruptedException {
    NodePublishVolumeRequest request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(use.volume().externalId())
            .putAllPublishContext(publishContext)
            .setTargetPath(target(alloc, use))
            .setVolumeCapability(capability(use.volume().access()))
            .setReadonly(use.mode() == ClaimMode.READ)
            .build();
    call(plugin(use, alloc.node()), plugin -> plugin.nodePublishVolume(request));
  }

  /**
   * Unmounts a volume of an alloc.
   *
   * @throws io.grpc.StatusRuntimeException when the plugin refuses
   */
  void unmount(DemoAlloc alloc, DemoUse use) throws InterruptedException {
    NodeUnpublishVolumeRequest request =
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(use.volume().externalId())
            .setTargetPath(target(alloc, use))
            .build();
    call(plugin(use, alloc.node()), plugin -> plugin.nodeUnpublishVolume(request));
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  /**
   * Calls until the answer is not that another call for the volume is open on the node: two allocs
   * may well mount or unmount one volume at the same moment, and CSI asks the caller to try again.
   */
  private static void call(
      NodeGrpc.NodeBlockingStub plugin, Function<NodeGrpc.NodeBlockingStub, Object> rpc)
      throws InterruptedException {
    while (true) {
      try {
        var unused = rpc.apply(plugin);
        return;
      } catch (StatusRuntimeException e) {
        // The stub's deadline ends this: it began with the first try.
        if (e.getStatus().getCode() != Status.Code.ABORTED) {
          throw e;
        }
        TimeUnit.NANOSECONDS.sleep(BETWEEN_TRIES.toNanos());
      }
    }
  }

  private NodeGrpc.NodeBlockingStub plugin(DemoUse use, String node) {
    String address = addresses.apply(use.volume().plugin(), node);
    return NodeGrpc.newBlockingStub(channels.computeIfAbsent(address, NodeClients::channel))
        .withDeadlineAfter(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static ManagedChannel channel(String address) {
    return Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()).build();
  }

  private static String target(DemoAlloc alloc, DemoUse use) {
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
