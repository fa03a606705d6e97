package dev.berth.streams.lanes;

import dev.berth.records.HoldCode;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.kernel.State;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether a call can be made now, and by which instance. Absence of information never frees
 * anything: what is not known holds the call (domain rule "Detach").
 */
sealed interface Readiness {

  /**
   * It can be made.
   *
   * @param instance instance to call
   * @param externalNode the provider's node id for a controller call; null for node calls
   * @param incarnation incarnation of the node for node calls, else 0
   */
  record Ready(InstanceView instance, @Nullable String externalNode, long incarnation)
      implements Readiness {}

  /**
   * It cannot be made.
   *
   * @param code why
   * @param message why, for people
   */
  record Blocked(HoldCode code, String message) implements Readiness {
    Failure failure() {
      return new Failure(code, message, null, Failure.Kind.ORDINARY);
    }
  }

  /**
   * There is nothing to call: a live controller says that the plugin does not attach, so there is
   * nothing to attach and nothing to detach.
   */
  record NothingToCall() implements Readiness {}

  /** Holds that an event ends, whatever the plugin answers. */
  Set<HoldCode> STRUCTURAL =
      Set.of(
          HoldCode.NO_SUCH_PLUGIN,
          HoldCode.NO_CONTROLLER,
          HoldCode.MISSING_EXTERNAL_NODE_ID,
          HoldCode.NODE_UNREACHABLE,
          HoldCode.NODE_LOST,
          HoldCode.NODE_PLUGIN_MISSING);

  /**
   * Looks whether a call can be made.
   *
   * @param tried nodes of instances not to be asked again in this turn
   */
  static Readiness of(LanesDraft draft, LaneCall call, List<String> tried) {
    return call.call().toController()
        ? ofController(draft, call, tried)
        : ofNode(draft.state(), call, tried);
  }

  /** Whether live controllers say that a controller call of their plugin is none of theirs. */
  static boolean nothingToCall(State state, LaneCall call) {
    return ClusterTables.cannotAttach(state, call.plugin());
  }

  private static Readiness ofController(LanesDraft draft, LaneCall call, List<String> tried) {
    State state = draft.state();
    if (ClusterTables.plugin(state, call.plugin()) == null) {
      return noSuchPlugin(call);
    }
    if (nothingToCall(state, call)) {
      return new NothingToCall();
    }
    NodeView target = target(state, call);
    if (call.kind() == LaneKind.ATTACH && target != null && target.lost()) {
      // An attach would bind the volume to a machine that was given up: its claims are held.
      return nodeAway(target);
    }
    List<InstanceView> live = ClusterTables.liveControllers(state, call.plugin());
    List<InstanceView> usable = live.stream().filter(InstanceView::attach).toList();
    InstanceView chosen = choose(usable, draft.plugin(call.plugin()).stickyNode(), tried);
    if (chosen == null) {
      return new Blocked(
          HoldCode.NO_CONTROLLER,
          live.isEmpty()
              ? "plugin " + call.plugin() + " has no healthy controller on a ready node"
              : "no healthy controller of plugin " + call.plugin() + " advertises attach");
    }
    String externalNode = externalNode(state, call);
    return externalNode == null
        ? new Blocked(
            HoldCode.MISSING_EXTERNAL_NODE_ID,
            "the provider's id of node "
                + call.call().node()
                + " is not known; it comes with the node plugin's report")
        : new Ready(chosen, externalNode, 0);
  }

  private static Readiness ofNode(State state, LaneCall call, List<String> tried) {
    NodeView node = target(state, call);
    if (node == null) {
      return notHeardOf(state, call.call().node());
    }
    if (!node.ready()) {
      return nodeAway(node);
    }
    if (ClusterTables.plugin(state, call.plugin()) == null) {
      return noSuchPlugin(call);
    }
    InstanceView instance = ClusterTables.nodeInstance(state, call.plugin(), node.node());
    if (instance == null || !instance.healthy() || tried.contains(instance.node())) {
      return new Blocked(
          HoldCode.NODE_PLUGIN_MISSING,
          "plugin " + call.plugin() + " has no healthy node instance on node " + node.node());
    }
    return new Ready(instance, null, node.incarnation());
  }

  /** The node of a call, as it counts for the claim that the call is for. */
  private static @Nullable NodeView target(State state, LaneCall call) {
    return ClusterTables.node(state, call.call().node(), call.scheduler());
  }

  private static Blocked nodeAway(NodeView node) {
    String message = "node " + node.node() + " is " + node.status();
    return switch (node.status()) {
      case DOWN, GONE -> new Blocked(HoldCode.NODE_LOST, message);
      case READY, DISCONNECTED, UNRECOGNIZED -> new Blocked(HoldCode.NODE_UNREACHABLE, message);
    };
  }

  private static Blocked notHeardOf(State state, String id) {
    NodeView ofOthers = ClusterTables.node(state, id);
    String message =
        ofOthers == null
            ? "node " + id + " was never heard of"
            : "node "
                + id
                + " is "
                + ofOthers.status()
                + " as scheduler "
                + ofOthers.scheduler()
                + " says, and nobody else has told of it";
    return new Blocked(HoldCode.NODE_UNREACHABLE, message);
  }

  private static Blocked noSuchPlugin(LaneCall call) {
    return new Blocked(
        HoldCode.NO_SUCH_PLUGIN, "no instance of plugin " + call.plugin() + " has been reported");
  }

  /**
   * The instance in use while it is well, else the one on the lowest node: providers keep caches
   * and locks in the controller (nomad#15415).
   */
  private static @Nullable InstanceView choose(
      List<InstanceView> usable, @Nullable String sticky, List<String> tried) {
    List<InstanceView> left =
        usable.stream().filter(instance -> !tried.contains(instance.node())).toList();
    return left.stream()
        .filter(instance -> instance.node().equals(sticky))
        .findFirst()
        .orElse(left.isEmpty() ? null : left.get(0));
  }

  /** The id that came with the call, else what the node plugin reports now, and nothing else. */
  private static @Nullable String externalNode(State state, LaneCall call) {
    String known = call.call().externalNode();
    if (known != null) {
      return known;
    }
    InstanceView instance = ClusterTables.nodeInstance(state, call.plugin(), call.call().node());
    return instance == null ? null : instance.externalNode();
  }
}
