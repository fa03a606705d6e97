package dev.berth.driver;

import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Decision;
import dev.berth.driver.provider.MountRequest;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.script.Latency;
import dev.berth.proto.csi.NodeGetCapabilitiesRequest;
import dev.berth.proto.csi.NodeGetCapabilitiesResponse;
import dev.berth.proto.csi.NodeGetInfoRequest;
import dev.berth.proto.csi.NodeGetInfoResponse;
import dev.berth.proto.csi.NodeGrpc;
import dev.berth.proto.csi.NodePublishVolumeRequest;
import dev.berth.proto.csi.NodePublishVolumeResponse;
import dev.berth.proto.csi.NodeServiceCapability.RPC;
import dev.berth.proto.csi.NodeStageVolumeRequest;
import dev.berth.proto.csi.NodeStageVolumeResponse;
import dev.berth.proto.csi.NodeUnpublishVolumeRequest;
import dev.berth.proto.csi.NodeUnpublishVolumeResponse;
import dev.berth.proto.csi.NodeUnstageVolumeRequest;
import dev.berth.proto.csi.NodeUnstageVolumeResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.function.Supplier;

/** Stages and publishes on one node. */
final class NodeService extends NodeGrpc.NodeImplBase {

  private final DriverSpec spec;
  private final PluginFeatures features;
  private final Provider provider;
  private final CallRunner runner;
  private final Arguments arguments;

  NodeService(DriverSpec spec, Provider provider, CallRunner runner) {
    this.spec = spec;
    this.features = spec.features();
    this.provider = provider;
    this.runner = runner;
    this.arguments = new Arguments(features);
  }

  @Override
  public void nodeStageVolume(
      NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> caller) {
    Work<NodeStageVolumeResponse> work =
        features.stage()
            ? work(
                request.getVolumeId(),
                arguments.problem(request),
                () ->
                    provider.stage(
                        request.getVolumeId(),
                        spec.nodeId(),
                        features.attach(),
                        request.getStagingTargetPath(),
                        Arguments.usage(request.getVolumeCapability(), false)),
                NodeStageVolumeResponse.getDefaultInstance())
            : unimplemented();
    run(
        facts(Rpc.NODE_STAGE, request.getVolumeId(), request.getStagingTargetPath(), false),
        work,
        caller);
  }

  @Override
  public void nodeUnstageVolume(
      NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> caller) {
    String volume = request.getVolumeId();
    String path = request.getStagingTargetPath();
    Work<NodeUnstageVolumeResponse> work =
        features.stage()
            ? work(
                volume,
                arguments.problem(volume, "staging_target_path", path),
                () -> provider.unstage(volume, spec.nodeId()),
                NodeUnstageVolumeResponse.getDefaultInstance())
            : unimplemented();
    run(facts(Rpc.NODE_UNSTAGE, volume, path, false), work, caller);
  }

  @Override
  public void nodePublishVolume(
      NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> caller) {
    Work<NodePublishVolumeResponse> work =
        work(
            request.getVolumeId(),
            arguments.problem(request),
            () -> provider.publishTarget(mount(request), features.attach(), features.stage()),
            NodePublishVolumeResponse.getDefaultInstance());
    run(
        facts(
            Rpc.NODE_PUBLISH,
            request.getVolumeId(),
            request.getTargetPath(),
            request.getReadonly()),
        work,
        caller);
  }

  private MountRequest mount(NodePublishVolumeRequest request) {
    return new MountRequest(
        request.getVolumeId(),
        spec.nodeId(),
        request.getStagingTargetPath(),
        request.getTargetPath(),
        Arguments.usage(request.getVolumeCapability(), request.getReadonly()));
  }

  @Override
  public void nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> caller) {
    String volume = request.getVolumeId();
    String target = request.getTargetPath();
    Work<NodeUnpublishVolumeResponse> work =
        work(
            volume,
            arguments.problem(volume, "target_path", target),
            () -> provider.unpublishTarget(volume, spec.nodeId(), target),
            NodeUnpublishVolumeResponse.getDefaultInstance());
    run(facts(Rpc.NODE_UNPUBLISH, volume, target, false), work, caller);
  }

  @Override
  public void nodeGetCapabilities(
      NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> caller) {
    NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
    if (features.stage()) {
      reply.addCapabilitiesBuilder().getRpcBuilder().setType(RPC.Type.STAGE_UNSTAGE_VOLUME);
    }
    if (features.singleNodeMultiWriter()) {
      reply.addCapabilitiesBuilder().getRpcBuilder().setType(RPC.Type.SINGLE_NODE_MULTI_WRITER);
    }
    runner.run(
        facts(Rpc.NODE_GET_CAPABILITIES, "", "", false),
        Latency.none(),
        Work.answer(reply.build()),
        caller);
  }

  @Override
  public void nodeGetInfo(NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> caller) {
    NodeGetInfoResponse reply =
        NodeGetInfoResponse.newBuilder()
            .setNodeId(spec.nodeId())
            .setMaxVolumesPerNode(spec.maxVolumes())
            .build();
    runner.run(facts(Rpc.NODE_GET_INFO, "", "", false), Latency.none(), Work.answer(reply), caller);
  }

  private <T> Work<T> work(
      String volume, Optional<String> problem, Supplier<Decision> decide, T reply) {
    return problem
        .map(Work::<T>invalid)
        .orElseGet(
            () ->
                new Work<>(
                    () -> provider.beginMount(volume, spec.nodeId()),
                    () -> Work.Outcome.of(decide.get(), context -> reply)));
  }

  private <T> void run(CallFacts facts, Work<T> work, StreamObserver<T> caller) {
    runner.run(facts, spec.nodeLatency(), work, caller);
  }

  private CallFacts facts(Rpc rpc, String volume, String path, boolean readonly) {
    return new CallFacts(
        spec.plugin(), spec.instance(), rpc, volume, spec.nodeId(), path, readonly);
  }

  private <T> Work<T> unimplemented() {
    return Work.refused(
        Status.Code.UNIMPLEMENTED, "plugin %s does not stage".formatted(spec.plugin()));
  }
}
