package dev.berth.streams.query;

import com.google.protobuf.Message;
import dev.berth.proto.api.BerthGrpc;
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
import dev.berth.proto.api.NodeSlots;
import dev.berth.proto.api.WatchAttachmentsRequest;
import dev.berth.proto.api.WatchAttachmentsResponse;
import dev.berth.proto.api.WatchClaimsRequest;
import dev.berth.proto.api.WatchClaimsResponse;
import dev.berth.proto.api.WatchLanesRequest;
import dev.berth.proto.api.WatchLanesResponse;
import dev.berth.proto.api.WatchNodeSlotsRequest;
import dev.berth.proto.api.WatchNodeSlotsResponse;
import dev.berth.proto.api.WatchNodesRequest;
import dev.berth.proto.api.WatchNodesResponse;
import dev.berth.proto.api.WatchPluginsRequest;
import dev.berth.proto.api.WatchPluginsResponse;
import dev.berth.proto.api.WatchStuckRequest;
import dev.berth.proto.api.WatchStuckResponse;
import dev.berth.proto.api.WatchVolumesRequest;
import dev.berth.proto.api.WatchVolumesResponse;
import dev.berth.streams.topology.ProcessorStore;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The lists of {@code berth.v1}, page by page and watched. */
abstract class ListCalls extends BerthGrpc.BerthImplBase {
  private final Lister lister;
  private final Watches watches;
  private final Supplier<TopicAccess> access;
  private final Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> slots;

  /**
   * Prepares.
   *
   * @param fan asks the instances
   * @param access reaches the topics; throws {@link UnavailableException} while it cannot
   */
  ListCalls(Fan fan, Supplier<TopicAccess> access, InstantSource clock) {
    this.lister = new Lister(fan);
    this.watches = new Watches(lister, clock);
    this.access = access;
    this.slots = LaneLists.slots(() -> fan.partitions(ProcessorStore.LANES));
  }

  Lister lister() {
    return lister;
  }

  Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> slots() {
    return slots;
  }

  /** Ends the watches. */
  void close() {
    watches.close();
  }

  @Override
  public void listVolumes(ListVolumesRequest request, StreamObserver<ListVolumesResponse> to) {
    BerthService.answer(to, () -> lister.page(VolumeLists.VOLUMES, request, request.getOptions()));
  }

  @Override
  public void listClaims(ListClaimsRequest request, StreamObserver<ListClaimsResponse> to) {
    BerthService.answer(to, () -> lister.page(VolumeLists.CLAIMS, request, request.getOptions()));
  }

  @Override
  public void listAttachments(
      ListAttachmentsRequest request, StreamObserver<ListAttachmentsResponse> to) {
    BerthService.answer(
        to, () -> lister.page(VolumeLists.ATTACHMENTS, request, request.getOptions()));
  }

  @Override
  public void listStuck(ListStuckRequest request, StreamObserver<ListStuckResponse> to) {
    BerthService.answer(to, () -> lister.page(VolumeLists.STUCK, request, request.getOptions()));
  }

  @Override
  public void listPlugins(ListPluginsRequest request, StreamObserver<ListPluginsResponse> to) {
    BerthService.answer(to, () -> lister.page(ClusterLists.PLUGINS, request, request.getOptions()));
  }

  @Override
  public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> to) {
    BerthService.answer(to, () -> lister.page(ClusterLists.NODES, request, request.getOptions()));
  }

  @Override
  public void listLanes(ListLanesRequest request, StreamObserver<ListLanesResponse> to) {
    BerthService.answer(to, () -> lister.page(LaneLists.LANES, request, request.getOptions()));
  }

  @Override
  public void listNodeSlots(
      ListNodeSlotsRequest request, StreamObserver<ListNodeSlotsResponse> to) {
    BerthService.answer(to, () -> lister.page(slots, request, request.getOptions()));
  }

  @Override
  public void watchVolumes(WatchVolumesRequest request, StreamObserver<WatchVolumesResponse> to) {
    watch(Watchables.VOLUMES, request, to);
  }

  @Override
  public void watchClaims(WatchClaimsRequest request, StreamObserver<WatchClaimsResponse> to) {
    watch(Watchables.CLAIMS, request, to);
  }

  @Override
  public void watchAttachments(
      WatchAttachmentsRequest request, StreamObserver<WatchAttachmentsResponse> to) {
    watch(Watchables.ATTACHMENTS, request, to);
  }

  @Override
  public void watchStuck(WatchStuckRequest request, StreamObserver<WatchStuckResponse> to) {
    watch(Watchables.STUCK, request, to);
  }

  @Override
  public void watchPlugins(WatchPluginsRequest request, StreamObserver<WatchPluginsResponse> to) {
    watch(Watchables.PLUGINS, request, to);
  }

  @Override
  public void watchNodes(WatchNodesRequest request, StreamObserver<WatchNodesResponse> to) {
    watch(Watchables.NODES, request, to);
  }

  @Override
  public void watchLanes(WatchLanesRequest request, StreamObserver<WatchLanesResponse> to) {
    watch(Watchables.LANES, request, to);
  }

  @Override
  public void watchNodeSlots(
      WatchNodeSlotsRequest request, StreamObserver<WatchNodeSlotsResponse> to) {
    watch(Watchables.slots(slots), request, to);
  }

  private <Q extends Message, T extends Message, R extends Message, C extends Message> void watch(
      Watchable<Q, T, R, C> watched, Message request, StreamObserver<C> to) {
    try {
      // What the library hands to the method of a server is always of this type.
      watches.begin(watched, request, access.get(), (ServerCallStreamObserver<C>) to);
    } catch (RuntimeException e) {
      to.onError(BerthService.failure(e));
    }
  }
}
