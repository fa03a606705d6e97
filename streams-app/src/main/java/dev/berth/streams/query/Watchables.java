package dev.berth.streams.query;

import dev.berth.proto.api.Attachment;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimFilter;
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
import dev.berth.proto.api.Stuck;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.WatchAttachmentsResponse;
import dev.berth.proto.api.WatchClaimsResponse;
import dev.berth.proto.api.WatchLanesResponse;
import dev.berth.proto.api.WatchNodeSlotsResponse;
import dev.berth.proto.api.WatchNodesResponse;
import dev.berth.proto.api.WatchPluginsResponse;
import dev.berth.proto.api.WatchStuckResponse;
import dev.berth.proto.api.WatchVolumesResponse;
import dev.berth.schemas.topics.Topic;
import java.util.Map;
import java.util.Optional;

/**
 * The lists that can be watched, with the topics that give cause to look. What changes without a
 * record of a topic is told with the next change: estimates, and how long something lasts.
 */
final class Watchables {
  /** A claim says with its own row whether it needs an operator, and why. */
  static final Watchable<ListStuckRequest, Stuck, ListStuckResponse, WatchStuckResponse> STUCK =
      new Watchable<>(
          VolumeLists.STUCK,
          ListStuckRequest.getDefaultInstance(),
          WatchStuckResponse.getDefaultInstance(),
          Map.of(Topic.CLAIMS, Watchable.first(3), Topic.STUCK_CLAIMS, Watchable.first(3)),
          Watchables::stuck,
          key -> {
            RowKey row = RowKey.of(key);
            WatchStuckResponse.Removed.Builder removed =
                WatchStuckResponse.Removed.newBuilder()
                    .setRef(Words.ref(row.namespace(), row.volume()));
            return VolumeLists.foreignNode(key)
                .map(removed::setNode)
                .orElseGet(() -> removed.setAlloc(row.last()))
                .build();
          });

  static final Watchable<ListClaimsRequest, Claim, ListClaimsResponse, WatchClaimsResponse> CLAIMS =
      new Watchable<>(
          VolumeLists.CLAIMS,
          ListClaimsRequest.getDefaultInstance(),
          WatchClaimsResponse.getDefaultInstance(),
          Map.of(Topic.CLAIMS, Watchable.first(3)),
          Watchables::claim,
          key -> {
            RowKey row = RowKey.of(key);
            return WatchClaimsResponse.Removed.newBuilder()
                .setRef(Words.ref(row.namespace(), row.volume()))
                .setAlloc(row.last())
                .build();
          });

  /** Whether a volume is schedulable depends on plugins and nodes, of which signals tell. */
  static final Watchable<ListVolumesRequest, Volume, ListVolumesResponse, WatchVolumesResponse>
      VOLUMES =
          new Watchable<>(
              VolumeLists.VOLUMES,
              ListVolumesRequest.getDefaultInstance(),
              WatchVolumesResponse.getDefaultInstance(),
              Map.of(
                  Topic.VOLUMES,
                  Watchable.first(2),
                  Topic.CLAIMS,
                  Watchable.first(2),
                  Topic.VOLUME_SIGNALS,
                  Watchable.ANY),
              Watchables::volume,
              key -> {
                RowKey row = RowKey.of(key);
                return WatchVolumesResponse.Removed.newBuilder()
                    .setRef(Words.ref(row.namespace(), row.volume()))
                    .build();
              });

  static final Watchable<
          ListAttachmentsRequest, Attachment, ListAttachmentsResponse, WatchAttachmentsResponse>
      ATTACHMENTS =
          new Watchable<>(
              VolumeLists.ATTACHMENTS,
              ListAttachmentsRequest.getDefaultInstance(),
              WatchAttachmentsResponse.getDefaultInstance(),
              Map.of(Topic.ATTACHMENTS, Watchable.first(3)),
              Watchables::attachment,
              key -> {
                RowKey row = RowKey.of(key);
                return WatchAttachmentsResponse.Removed.newBuilder()
                    .setRef(Words.ref(row.namespace(), row.volume()))
                    .setNode(row.last())
                    .build();
              });

  /** Signals tell of nodes, and of the removal of a record that has had no instance for long. */
  static final Watchable<ListPluginsRequest, Plugin, ListPluginsResponse, WatchPluginsResponse>
      PLUGINS =
          new Watchable<>(
              ClusterLists.PLUGINS,
              ListPluginsRequest.getDefaultInstance(),
              WatchPluginsResponse.getDefaultInstance(),
              Map.of(Topic.PLUGINS, Watchable.first(1), Topic.VOLUME_SIGNALS, Watchable.ANY),
              (asked, key) ->
                  given(
                      ClaimMessages.matches(asked.getPlugin(), key),
                      asked.toBuilder().setPlugin(key).build()),
              key -> WatchPluginsResponse.Removed.newBuilder().setPlugin(key).build());

  /** The attempts beside a plugin's own status have keys that begin with the plugin. */
  static final Watchable<ListLanesRequest, PluginLanes, ListLanesResponse, WatchLanesResponse>
      LANES =
          new Watchable<>(
              LaneLists.LANES,
              ListLanesRequest.getDefaultInstance(),
              WatchLanesResponse.getDefaultInstance(),
              Map.of(Topic.LANE_STATUS, Watchable.first(1)),
              (asked, key) ->
                  given(
                      ClaimMessages.matches(asked.getPlugin(), key),
                      asked.toBuilder().setPlugin(key).build()),
              key -> WatchLanesResponse.Removed.newBuilder().setPlugin(key).build());

  static final Watchable<ListNodesRequest, Node, ListNodesResponse, WatchNodesResponse> NODES =
      new Watchable<>(
          ClusterLists.NODES,
          ListNodesRequest.getDefaultInstance(),
          WatchNodesResponse.getDefaultInstance(),
          Map.of(Topic.NODE_VIEWS, Watchable.first(1)),
          (asked, key) ->
              given(
                  ClaimMessages.matches(asked.getNode(), key),
                  asked.toBuilder().setNode(key).build()),
          key -> WatchNodesResponse.Removed.newBuilder().setNode(key).build());

  private Watchables() {}

  /**
   * The slots. Most volumes of a node are what its plugin's instance says, of which signals tell.
   *
   * @param listing their list
   */
  static Watchable<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse, WatchNodeSlotsResponse>
      slots(Listing<ListNodeSlotsRequest, NodeSlots, ListNodeSlotsResponse> listing) {
    return new Watchable<>(
        listing,
        ListNodeSlotsRequest.getDefaultInstance(),
        WatchNodeSlotsResponse.getDefaultInstance(),
        Map.of(Topic.NODE_SLOTS, Watchable.first(2), Topic.LANE_SIGNALS, Watchable.ANY),
        (asked, key) -> {
          int slash = key.indexOf('/');
          String plugin = key.substring(0, slash);
          String node = key.substring(slash + 1);
          return given(
              ClaimMessages.matches(asked.getPlugin(), plugin)
                  && ClaimMessages.matches(asked.getNode(), node),
              asked.toBuilder().setPlugin(plugin).setNode(node).build());
        },
        key -> {
          int slash = key.indexOf('/');
          return WatchNodeSlotsResponse.Removed.newBuilder()
              .setPlugin(key.substring(0, slash))
              .setNode(key.substring(slash + 1))
              .build();
        });
  }

  private static <Q> Optional<Q> given(boolean wanted, Q request) {
    return wanted ? Optional.of(request) : Optional.empty();
  }

  /**
   * The parts of the key of a row.
   *
   * @param last alloc or node; empty for a volume
   */
  private record RowKey(String namespace, String volume, String last) {
    static RowKey of(String key) {
      String[] parts = key.split("/", 3);
      return new RowKey(parts[0], parts[1], parts.length > 2 ? parts[2] : "");
    }

    /** Whether the row can be one of those asked for, and is the caller's to see. */
    boolean isIn(String namespaceAsked, String volumeAsked) {
      return Caller.current().sees(namespace)
          && ClaimMessages.matches(namespaceAsked, namespace)
          && ClaimMessages.matches(volumeAsked, volume);
    }
  }

  private static Optional<ListStuckRequest> stuck(ListStuckRequest asked, String key) {
    RowKey row = RowKey.of(key);
    boolean wanted = row.isIn(asked.getNamespace(), asked.getVolume());
    ListStuckRequest.Builder one =
        asked.toBuilder().setNamespace(row.namespace()).setVolume(row.volume());
    if (VolumeLists.foreignNode(key).isEmpty()) {
      wanted &= ClaimMessages.matches(asked.getAlloc(), row.last());
      one.setAlloc(row.last());
    }
    return given(wanted, one.build());
  }

  private static Optional<ListClaimsRequest> claim(ListClaimsRequest asked, String key) {
    RowKey row = RowKey.of(key);
    ClaimFilter filter = asked.getFilter();
    return given(
        row.isIn(filter.getNamespace(), filter.getVolume())
            && ClaimMessages.matches(filter.getAlloc(), row.last()),
        asked.toBuilder()
            .setFilter(
                filter.toBuilder()
                    .setNamespace(row.namespace())
                    .setVolume(row.volume())
                    .setAlloc(row.last()))
            .build());
  }

  private static Optional<ListVolumesRequest> volume(ListVolumesRequest asked, String key) {
    RowKey row = RowKey.of(key);
    return given(
        row.isIn(asked.getNamespace(), asked.getVolume()),
        asked.toBuilder().setNamespace(row.namespace()).setVolume(row.volume()).build());
  }

  private static Optional<ListAttachmentsRequest> attachment(
      ListAttachmentsRequest asked, String key) {
    RowKey row = RowKey.of(key);
    return given(
        row.isIn(asked.getNamespace(), asked.getVolume())
            && ClaimMessages.matches(asked.getNode(), row.last()),
        asked.toBuilder()
            .setNamespace(row.namespace())
            .setVolume(row.volume())
            .setNode(row.last())
            .build());
  }
}
