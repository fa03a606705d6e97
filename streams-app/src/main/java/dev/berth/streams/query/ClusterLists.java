package dev.berth.streams.query;

import dev.berth.proto.api.BerthGrpc;
import dev.berth.proto.api.Fence;
import dev.berth.proto.api.ListNodesRequest;
import dev.berth.proto.api.ListNodesResponse;
import dev.berth.proto.api.ListPluginsRequest;
import dev.berth.proto.api.ListPluginsResponse;
import dev.berth.proto.api.Node;
import dev.berth.proto.api.NodeStatus;
import dev.berth.proto.api.Plugin;
import dev.berth.proto.api.PluginInstance;
import dev.berth.records.PluginRole;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.kernel.State;
import dev.berth.streams.topology.ProcessorStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The lists of what {@code Cluster} has. */
final class ClusterLists {
  static final Listing<ListPluginsRequest, Plugin, ListPluginsResponse> PLUGINS =
      new Listing<>(
          BerthGrpc.getListPluginsMethod(),
          ListPluginsResponse.getDefaultInstance(),
          ProcessorStore.CLUSTER,
          Plugin.class,
          Plugin::getPlugin,
          request -> Optional.empty(),
          ClusterLists::plugins);

  static final Listing<ListNodesRequest, Node, ListNodesResponse> NODES =
      new Listing<>(
          BerthGrpc.getListNodesMethod(),
          ListNodesResponse.getDefaultInstance(),
          ProcessorStore.CLUSTER,
          Node.class,
          Node::getNode,
          request -> Optional.empty(),
          ClusterLists::nodes);

  private ClusterLists() {}

  private static void plugins(
      Reading reading, ListPluginsRequest request, String after, Predicate<Plugin> taker) {
    String prefix = request.getPlugin();
    reading
        .state()
        .walk(
            ClusterTables.PLUGINS,
            prefix,
            Listing.from(prefix, after),
            row -> {
              Lister.requireWanted();
              return !ClaimMessages.matches(request.getPlugin(), row.key())
                  || taker.test(plugin(row.value(), reading.state()));
            });
  }

  private static void nodes(
      Reading reading, ListNodesRequest request, String after, Predicate<Node> taker) {
    String prefix = request.getNode();
    reading
        .state()
        .walk(
            ClusterTables.NODES,
            prefix,
            Listing.from(prefix, after),
            row -> {
              boolean wanted =
                  ClaimMessages.matches(request.getNode(), row.key())
                      && ClaimMessages.matches(request.getScheduler(), row.value().scheduler());
              return !wanted || taker.test(node(row.value()));
            });
  }

  private static Plugin plugin(PluginView view, State state) {
    List<InstanceView> controllers = ClusterTables.controllers(state, view.plugin());
    List<InstanceView> live = ClusterTables.liveControllers(state, view.plugin());
    List<InstanceView> nodes =
        state
            .scan(ClusterTables.INSTANCES, InstanceView.prefix(view.plugin(), PluginRole.NODE))
            .stream()
            .map(State.Entry::value)
            .toList();
    Plugin.Builder message =
        Plugin.newBuilder()
            .setPlugin(view.plugin())
            .setControllerRequired(view.controllerRequired())
            .setCanAttach(live.stream().anyMatch(InstanceView::attach))
            .setPublishesReadonly(live.stream().anyMatch(InstanceView::publishReadOnly))
            .setListsPublishedNodes(live.stream().anyMatch(InstanceView::listPublished))
            .setStages(nodes.stream().anyMatch(InstanceView::stage))
            .setControllers(controllers.size())
            .setHealthyControllers(healthy(controllers))
            .setNodes(nodes.size())
            .setHealthyNodes(healthy(nodes));
    controllers.forEach(instance -> message.addInstances(instance(instance, state)));
    nodes.forEach(instance -> message.addInstances(instance(instance, state)));
    if (view.emptySince() != null) {
      message.setEmptySince(ProtoTime.timestamp(view.emptySince()));
    }
    return message.build();
  }

  private static int healthy(List<InstanceView> instances) {
    return (int) instances.stream().filter(InstanceView::healthy).count();
  }

  private static PluginInstance instance(InstanceView view, State state) {
    NodeView node = ClusterTables.node(state, view.node());
    return PluginInstance.newBuilder()
        .setNode(view.node())
        .setRole(
            view.role() == PluginRole.CONTROLLER
                ? PluginInstance.Role.ROLE_CONTROLLER
                : PluginInstance.Role.ROLE_NODE)
        .setHealthy(view.healthy())
        .setHealthText(view.healthText())
        .setRoute(view.route())
        .setExternalNodeId(view.externalNode() == null ? "" : view.externalNode())
        .setMaxVolumes(view.maxVolumes() == null ? 0 : view.maxVolumes())
        .setCanAttach(view.attach())
        .setPublishesReadonly(view.publishReadOnly())
        .setListsPublishedNodes(view.listPublished())
        .setStages(view.stage())
        .setNodeReady(node != null && node.ready())
        .build();
  }

  private static Node node(NodeView view) {
    Node.Builder message =
        Node.newBuilder()
            .setNode(view.node())
            .setScheduler(view.scheduler())
            .setStatus(NodeStatus.valueOf("NODE_STATUS_" + view.status().name()))
            .setEligible(view.eligible())
            .setIncarnation(view.incarnation());
    if (view.contactLostAt() != null) {
      message.setLostContactAt(ProtoTime.timestamp(view.contactLostAt()));
    }
    if (view.fence() != null) {
      message.setFence(
          Fence.newBuilder()
              .setAuthor(view.fence().by())
              .setReason(view.fence().reason())
              .setAt(ProtoTime.timestamp(view.fence().at())));
    }
    return message.build();
  }
}
