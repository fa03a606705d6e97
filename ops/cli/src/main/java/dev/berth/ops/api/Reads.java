package dev.berth.ops.api;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
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
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginLanes;
import dev.berth.proto.api.ReadOptions;
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeRef;
import dev.berth.proto.api.WhyClaimRequest;
import dev.berth.proto.api.WhyClaimResponse;

/** What can be read, each list to its end. Every method throws {@link ApiFailedException}. */
public final class Reads {
  private static final int PAGE = 500;

  private final ApiClient client;
  private final ReadOptions options;

  /**
   * Reads through a client.
   *
   * @param partial whether to be content with what answers, and with warm copies
   */
  public Reads(ApiClient client, boolean partial) {
    this.client = client;
    this.options =
        ReadOptions.newBuilder().setAllowPartial(partial).setAllowStandby(partial).build();
  }

  /** One volume with its claims and attachments. */
  public GetVolumeResponse volume(VolumeRef ref) {
    GetVolumeRequest request =
        GetVolumeRequest.newBuilder().setRef(ref).setOptions(options).build();
    return client.ask(api -> api.getVolume(request));
  }

  /** Why a claim is where it is. */
  public WhyClaimResponse why(VolumeRef ref, String alloc) {
    WhyClaimRequest request =
        WhyClaimRequest.newBuilder().setRef(ref).setAlloc(alloc).setOptions(options).build();
    return client.ask(api -> api.whyClaim(request));
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Volume> volumes(ListVolumesRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listVolumes(page(filter.toBuilder(), token))),
        ListVolumesResponse::getVolumesList,
        ListVolumesResponse::getNextPageToken,
        ListVolumesResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Claim> claims(ListClaimsRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listClaims(page(filter.toBuilder(), token))),
        ListClaimsResponse::getClaimsList,
        ListClaimsResponse::getNextPageToken,
        ListClaimsResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Attachment> attachments(ListAttachmentsRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listAttachments(page(filter.toBuilder(), token))),
        ListAttachmentsResponse::getAttachmentsList,
        ListAttachmentsResponse::getNextPageToken,
        ListAttachmentsResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Plugin> plugins(ListPluginsRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listPlugins(page(filter.toBuilder(), token))),
        ListPluginsResponse::getPluginsList,
        ListPluginsResponse::getNextPageToken,
        ListPluginsResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<PluginLanes> lanes(ListLanesRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listLanes(page(filter.toBuilder(), token))),
        ListLanesResponse::getPluginsList,
        ListLanesResponse::getNextPageToken,
        ListLanesResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Node> nodes(ListNodesRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listNodes(page(filter.toBuilder(), token))),
        ListNodesResponse::getNodesList,
        ListNodesResponse::getNextPageToken,
        ListNodesResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<NodeSlots> slots(ListNodeSlotsRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listNodeSlots(page(filter.toBuilder(), token))),
        ListNodeSlotsResponse::getSlotsList,
        ListNodeSlotsResponse::getNextPageToken,
        ListNodeSlotsResponse::getFreshness);
  }

  /** All that match; what pages the request names does not matter. */
  public Listed<Stuck> stuck(ListStuckRequest filter) {
    return client.pages(
        token -> client.ask(api -> api.listStuck(page(filter.toBuilder(), token))),
        ListStuckResponse::getStuckList,
        ListStuckResponse::getNextPageToken,
        ListStuckResponse::getFreshness);
  }

  private ListVolumesRequest page(ListVolumesRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListClaimsRequest page(ListClaimsRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListAttachmentsRequest page(ListAttachmentsRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListPluginsRequest page(ListPluginsRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListLanesRequest page(ListLanesRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListNodesRequest page(ListNodesRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListNodeSlotsRequest page(ListNodeSlotsRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }

  private ListStuckRequest page(ListStuckRequest.Builder filter, String token) {
    return filter.setPageSize(PAGE).setPageToken(token).setOptions(options).build();
  }
}
