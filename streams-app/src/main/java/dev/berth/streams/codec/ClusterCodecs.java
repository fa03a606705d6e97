package dev.berth.streams.codec;

import dev.berth.records.GarbageCollection;
import dev.berth.records.InstanceGone;
import dev.berth.records.NodeGone;
import dev.berth.records.NodeStatus;
import dev.berth.records.PassedCommand;
import dev.berth.records.PluginGone;
import dev.berth.records.PoliciesChanged;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.cluster.Signal;
import dev.berth.streams.policy.Policies;
import java.time.Instant;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Codecs of the cluster view: the rows of its tables, and the signals that carry its changes. */
public final class ClusterCodecs {

  /** A row of {@code ClusterTables.NODES}. */
  public static final Codec<NodeView, dev.berth.records.NodeView> NODE_VIEW =
      new Codec<>(
          NodeView.class,
          dev.berth.records.NodeView.class,
          ClusterCodecs::encodeNode,
          ClusterCodecs::decodeNode);

  /** A row of {@code ClusterTables.INSTANCES}. */
  public static final Codec<InstanceView, dev.berth.records.InstanceView> INSTANCE_VIEW =
      new Codec<>(
          InstanceView.class,
          dev.berth.records.InstanceView.class,
          ClusterCodecs::encodeInstance,
          ClusterCodecs::decodeInstance);

  /** A row of {@code ClusterTables.PLUGINS}. */
  public static final Codec<PluginView, dev.berth.records.PluginView> PLUGIN_VIEW =
      new Codec<>(
          PluginView.class,
          dev.berth.records.PluginView.class,
          ClusterCodecs::encodePlugin,
          ClusterCodecs::decodePlugin);

  /** The row of {@code ClusterTables.POLICIES}. */
  public static final Codec<Policies, PoliciesChanged> POLICIES =
      new Codec<>(
          Policies.class,
          PoliciesChanged.class,
          policies -> new PoliciesChanged(policies.version(), policies.settings()),
          row -> new Policies(row.getVersion(), row.getPolicies()));

  /** A signal. */
  public static final Codec<Signal, dev.berth.records.Signal> SIGNAL =
      new Codec<>(
          Signal.class,
          dev.berth.records.Signal.class,
          signal -> new dev.berth.records.Signal(signal.at(), encodeSignal(signal.body())),
          signal -> new Signal(signal.getAt(), decodeSignal(signal.getBody())));

  private ClusterCodecs() {}

  private static dev.berth.records.NodeView encodeNode(NodeView node) {
    return dev.berth.records.NodeView.newBuilder()
        .setNode(node.node())
        .setScheduler(node.scheduler())
        .setStatus(node.status())
        .setEligible(node.eligible())
        .setIncarnation(node.incarnation())
        .setContactLostAt(node.contactLostAt())
        .setFence(encodeFence(node.fence()))
        .build();
  }

  private static NodeView decodeNode(dev.berth.records.NodeView node) {
    return new NodeView(
        node.getNode(),
        node.getScheduler(),
        node.getStatus(),
        node.getEligible(),
        node.getIncarnation(),
        node.getContactLostAt().orElse(null),
        decodeFence(node.getFence()));
  }

  private static dev.berth.records.@Nullable Fence encodeFence(@Nullable Fence fence) {
    return fence == null
        ? null
        : new dev.berth.records.Fence(fence.by(), fence.reason(), fence.at(), fence.owedSince());
  }

  private static @Nullable Fence decodeFence(Optional<dev.berth.records.Fence> fence) {
    return fence
        .map(
            given ->
                new Fence(
                    given.getBy(),
                    given.getReason(),
                    given.getAt(),
                    given.getOwedSince().orElse(given.getAt())))
        .orElse(null);
  }

  private static dev.berth.records.InstanceView encodeInstance(InstanceView instance) {
    return dev.berth.records.InstanceView.newBuilder()
        .setPlugin(instance.plugin())
        .setNode(instance.node())
        .setRole(instance.role())
        .setHealthy(instance.healthy())
        .setHealthText(instance.healthText())
        .setRoute(instance.route())
        .setEndpoint(instance.endpoint())
        .setAttach(instance.attach())
        .setPublishReadOnly(instance.publishReadOnly())
        .setListPublished(instance.listPublished())
        .setStage(instance.stage())
        .setExternalNode(instance.externalNode())
        .setMaxVolumes(instance.maxVolumes())
        .build();
  }

  private static InstanceView decodeInstance(dev.berth.records.InstanceView instance) {
    return new InstanceView(
        instance.getPlugin(),
        instance.getNode(),
        instance.getRole(),
        instance.getHealthy(),
        instance.getHealthText(),
        instance.getRoute(),
        instance.getEndpoint(),
        instance.getAttach(),
        instance.getPublishReadOnly(),
        instance.getListPublished(),
        instance.getStage(),
        instance.getExternalNode().orElse(null),
        instance.getMaxVolumes().orElse(null));
  }

  private static dev.berth.records.PluginView encodePlugin(PluginView plugin) {
    Instant emptySince = plugin.emptySince();
    return new dev.berth.records.PluginView(
        plugin.plugin(), plugin.controllerRequired(), emptySince);
  }

  private static PluginView decodePlugin(dev.berth.records.PluginView plugin) {
    return new PluginView(
        plugin.getPlugin(), plugin.getControllerRequired(), plugin.getEmptySince().orElse(null));
  }

  private static SpecificRecord encodeSignal(ClusterSignal signal) {
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      dev.berth.records.NodeView node = encodeNode(changed.node());
      // Other readers of the topic see a deletion as what it is, not as one more status.
      return changed.node().status() == NodeStatus.GONE ? new NodeGone(node) : node;
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      return encodeInstance(changed.instance());
    } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
      return new InstanceGone(removed.plugin(), removed.node(), removed.role());
    } else if (signal instanceof ClusterSignal.PluginChanged changed) {
      return encodePlugin(changed.plugin());
    } else if (signal instanceof ClusterSignal.PluginRemoved removed) {
      return new PluginGone(removed.plugin());
    } else if (signal instanceof ClusterSignal.PoliciesChanged changed) {
      return POLICIES.encode().apply(changed.policies());
    } else if (signal instanceof ClusterSignal.GarbageCollection collection) {
      return new GarbageCollection(collection.ignoreThresholds(), collection.by());
    } else if (signal instanceof ClusterSignal.PassedCommand passed) {
      return new PassedCommand(CommandCodecs.COMMAND.encode().apply(passed.command()));
    }
    throw new IllegalArgumentException("no record for " + signal.getClass().getSimpleName());
  }

  private static ClusterSignal decodeSignal(Object body) {
    if (body instanceof dev.berth.records.NodeView node) {
      return new ClusterSignal.NodeChanged(decodeNode(node));
    } else if (body instanceof NodeGone gone) {
      return new ClusterSignal.NodeChanged(decodeNode(gone.getLast()));
    } else if (body instanceof dev.berth.records.InstanceView instance) {
      return new ClusterSignal.InstanceChanged(decodeInstance(instance));
    } else if (body instanceof InstanceGone gone) {
      return new ClusterSignal.InstanceRemoved(gone.getPlugin(), gone.getNode(), gone.getRole());
    } else if (body instanceof dev.berth.records.PluginView plugin) {
      return new ClusterSignal.PluginChanged(decodePlugin(plugin));
    } else if (body instanceof PluginGone gone) {
      return new ClusterSignal.PluginRemoved(gone.getPlugin());
    } else if (body instanceof PoliciesChanged changed) {
      return new ClusterSignal.PoliciesChanged(POLICIES.decode().apply(changed));
    } else if (body instanceof GarbageCollection collection) {
      return new ClusterSignal.GarbageCollection(
          collection.getIgnoreThresholds(), collection.getBy());
    } else if (body instanceof PassedCommand passed) {
      return new ClusterSignal.PassedCommand(
          CommandCodecs.COMMAND.decode().apply(passed.getCommand()));
    }
    throw new IllegalArgumentException("no signal for " + body.getClass().getSimpleName());
  }
}
