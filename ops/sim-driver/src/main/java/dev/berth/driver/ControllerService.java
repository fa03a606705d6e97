package dev.berth.driver;

import dev.berth.driver.Work.Outcome;
import dev.berth.driver.calls.CallFacts;
import dev.berth.driver.calls.Rpc;
import dev.berth.driver.provider.Provider;
import dev.berth.driver.provider.VolumePage;
import dev.berth.driver.script.Latency;
import dev.berth.proto.csi.ControllerGetCapabilitiesRequest;
import dev.berth.proto.csi.ControllerGetCapabilitiesResponse;
import dev.berth.proto.csi.ControllerGrpc;
import dev.berth.proto.csi.ControllerPublishVolumeRequest;
import dev.berth.proto.csi.ControllerPublishVolumeResponse;
import dev.berth.proto.csi.ControllerServiceCapability.RPC;
import dev.berth.proto.csi.ControllerUnpublishVolumeRequest;
import dev.berth.proto.csi.ControllerUnpublishVolumeResponse;
import dev.berth.proto.csi.ListVolumesRequest;
import dev.berth.proto.csi.ListVolumesResponse;
import dev.berth.proto.csi.Volume;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Attaches, detaches and lists. */
final class ControllerService extends ControllerGrpc.ControllerImplBase {

  private final DriverSpec spec;
  private final Provider provider;
  private final CallRunner runner;
  private final Arguments arguments;

  ControllerService(DriverSpec spec, Provider provider, CallRunner runner) {
    this.spec = spec;
    this.provider = provider;
    this.runner = runner;
    this.arguments = new Arguments(spec.features());
  }

  @Override
  public void controllerPublishVolume(
      ControllerPublishVolumeRequest request,
      StreamObserver<ControllerPublishVolumeResponse> caller) {
    CallFacts facts =
        facts(
            Rpc.CONTROLLER_PUBLISH,
            request.getVolumeId(),
            request.getNodeId(),
            request.getReadonly());
    runner.run(facts, spec.controllerLatency(), publish(request), caller);
  }

  private Work<ControllerPublishVolumeResponse> publish(ControllerPublishVolumeRequest request) {
    if (!spec.features().attach()) {
      return unimplemented("attach");
    }
    String volume = request.getVolumeId();
    String node = request.getNodeId();
    return arguments
        .problem(request)
        .map(Work::<ControllerPublishVolumeResponse>invalid)
        .orElseGet(
            () ->
                new Work<>(
                    () -> provider.beginPublish(volume, node),
                    () ->
                        Outcome.of(
                            provider.publish(
                                volume,
                                node,
                                Arguments.usage(
                                    request.getVolumeCapability(), request.getReadonly())),
                            ControllerService::published)));
  }

  private static ControllerPublishVolumeResponse published(Map<String, String> context) {
    return ControllerPublishVolumeResponse.newBuilder().putAllPublishContext(context).build();
  }

  @Override
  public void controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request,
      StreamObserver<ControllerUnpublishVolumeResponse> caller) {
    CallFacts facts =
        facts(Rpc.CONTROLLER_UNPUBLISH, request.getVolumeId(), request.getNodeId(), false);
    runner.run(facts, spec.controllerLatency(), unpublish(request), caller);
  }

  private Work<ControllerUnpublishVolumeResponse> unpublish(
      ControllerUnpublishVolumeRequest request) {
    if (!spec.features().attach()) {
      return unimplemented("detach");
    }
    String volume = request.getVolumeId();
    String node = request.getNodeId();
    return arguments
        .missing("volume_id", volume)
        .map(Work::<ControllerUnpublishVolumeResponse>invalid)
        .orElseGet(
            () ->
                new Work<>(
                    () -> provider.beginUnpublish(volume, node),
                    () ->
                        Outcome.of(
                            provider.unpublish(volume, node),
                            context -> ControllerUnpublishVolumeResponse.getDefaultInstance())));
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> caller) {
    runner.run(facts(Rpc.LIST_VOLUMES, "", "", false), Latency.none(), list(request), caller);
  }

  private Work<ListVolumesResponse> list(ListVolumesRequest request) {
    if (!spec.features().listVolumes()) {
      return unimplemented("list");
    }
    if (request.getMaxEntries() < 0) {
      return Work.invalid("max_entries %d is negative".formatted(request.getMaxEntries()));
    }
    return Work.question(() -> page(request));
  }

  private Outcome<ListVolumesResponse> page(ListVolumesRequest request) {
    return provider
        .list(request.getMaxEntries(), request.getStartingToken())
        .<Outcome<ListVolumesResponse>>map(page -> new Outcome.Done<>(listed(page)))
        .orElseGet(
            () ->
                new Outcome.Refused<>(
                    Status.Code.ABORTED,
                    "token '%s' is not valid any more; start again without one"
                        .formatted(request.getStartingToken())));
  }

  private ListVolumesResponse listed(VolumePage page) {
    ListVolumesResponse.Builder reply =
        ListVolumesResponse.newBuilder().setNextToken(page.nextToken());
    for (VolumePage.Entry entry : page.entries()) {
      ListVolumesResponse.Entry.Builder line = reply.addEntriesBuilder();
      line.setVolume(Volume.newBuilder().setVolumeId(entry.volume().id()));
      if (spec.features().listPublished()) {
        line.getStatusBuilder().addAllPublishedNodeIds(entry.nodes());
      }
    }
    return reply.build();
  }

  @Override
  public void controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request,
      StreamObserver<ControllerGetCapabilitiesResponse> caller) {
    ControllerGetCapabilitiesResponse.Builder reply =
        ControllerGetCapabilitiesResponse.newBuilder();
    capabilities(spec.features())
        .forEach(type -> reply.addCapabilitiesBuilder().getRpcBuilder().setType(type));
    runner.run(
        facts(Rpc.CONTROLLER_GET_CAPABILITIES, "", "", false),
        Latency.none(),
        Work.answer(reply.build()),
        caller);
  }

  private static Set<RPC.Type> capabilities(PluginFeatures features) {
    Set<RPC.Type> types = new LinkedHashSet<>();
    if (features.attach()) {
      types.add(RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    }
    if (features.listVolumes()) {
      types.add(RPC.Type.LIST_VOLUMES);
    }
    if (features.publishReadonly()) {
      types.add(RPC.Type.PUBLISH_READONLY);
    }
    if (features.listPublished()) {
      types.add(RPC.Type.LIST_VOLUMES_PUBLISHED_NODES);
    }
    if (features.singleNodeMultiWriter()) {
      types.add(RPC.Type.SINGLE_NODE_MULTI_WRITER);
    }
    return types;
  }

  private CallFacts facts(Rpc rpc, String volume, String node, boolean readonly) {
    return new CallFacts(spec.plugin(), spec.instance(), rpc, volume, node, "", readonly);
  }

  private <T> Work<T> unimplemented(String what) {
    return Work.refused(
        Status.Code.UNIMPLEMENTED, "plugin %s cannot %s".formatted(spec.plugin(), what));
  }
}
