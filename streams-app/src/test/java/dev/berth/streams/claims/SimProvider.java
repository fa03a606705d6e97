package dev.berth.streams.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.NodeStatus;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Call;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is really attached, staged and mounted in a {@link Simulation}, and what must never be done
 * to it.
 */
final class SimProvider {
  private final World world;
  private final boolean single;
  private final Policy.NodeLoss nodeLoss;
  private final boolean workers;

  /** The provider's ids of the nodes that the volume is attached to. */
  private final Set<String> attached = new TreeSet<>();

  /** Which node each of them is or was. */
  private final Map<String, String> nodes = new HashMap<>();

  /** Nodes where node workers have staged it. */
  private final Set<String> staged = new TreeSet<>();

  private final List<Mount> mounts = new ArrayList<>();
  private final Map<String, Duration> promises = new HashMap<>();

  /** An alloc's mount. */
  record Mount(String alloc, String node, @Nullable Duration promise) {}

  SimProvider(World world, boolean single, Policy policy) {
    this.world = world;
    this.single = single;
    nodeLoss = policy.nodeLoss();
    workers = policy.nodeStep() == Policy.NodeStepBy.WORKER;
  }

  boolean workers() {
    return workers;
  }

  boolean isAttached(String externalNode) {
    return attached.contains(externalNode);
  }

  List<Mount> mounts() {
    return List.copyOf(mounts);
  }

  /** An alloc promises to stop itself that long after its node was cut off. */
  void promised(String alloc, Duration promise) {
    promises.put(alloc, promise);
  }

  void mount(String alloc, String node) {
    unmount(alloc, node);
    mounts.add(new Mount(alloc, node, promises.get(alloc)));
  }

  void unmount(String alloc, String node) {
    mounts.removeIf(mount -> mount.alloc().equals(alloc) && mount.node().equals(node));
  }

  /** Nothing of a node is mounted any more, by whoever's word. */
  void clear(String node) {
    mounts.removeIf(mount -> mount.node().equals(node));
    staged.remove(node);
  }

  /** Nothing of a node is staged any more, by an operator's word. */
  void unstaged(String node) {
    staged.remove(node);
  }

  /** An operator has detached it with the provider's own tools. */
  void detachedByHand(String node) {
    clear(node);
    attached.removeIf(external -> node.equals(nodes.get(external)));
  }

  private boolean heard(String node) {
    NodeView view = world.state.get(ClusterTables.NODES, node);
    return view != null
        && !view.fenced()
        && view.status() != NodeStatus.DOWN
        && view.status() != NodeStatus.GONE;
  }

  /** What is attached and no row knows of. */
  List<String> leaked(List<Attachment> known) {
    return attached.stream()
        .filter(external -> known.stream().noneMatch(use -> mayBe(use, external)))
        .toList();
  }

  private boolean mayBe(Attachment use, String external) {
    return use.externalNode() == null
        ? use.node().equals(nodes.get(external))
        : use.externalNode().equals(external);
  }

  /** Whether it is attached nowhere. */
  boolean isFree() {
    return attached.isEmpty();
  }

  /** A call is about to be made: it must be a safe one. */
  void begins(Call call) {
    switch (call.rpc()) {
      case CONTROLLER_PUBLISH -> {
        if (single) {
          assertThat(attached)
              .as("nodes that have the single-node volume before %s", Notation.call(call))
              .isSubsetOf(Set.of(String.valueOf(call.externalNode())));
        }
      }
      case CONTROLLER_UNPUBLISH -> {
        assertThat(stillMounted(call.node())).as("mounts under %s", Notation.call(call)).isEmpty();
        if (workers && reachable(call.node())) {
          assertThat(staged).as("staged under %s", Notation.call(call)).doesNotContain(call.node());
        }
      }
      case NODE_UNSTAGE ->
          assertThat(stillMounted(call.node()))
              .as("mounts under %s", Notation.call(call))
              .isEmpty();
      case NODE_STAGE, NODE_PUBLISH, NODE_UNPUBLISH -> {}
    }
  }

  /** A call has had its effect. */
  void did(Call call) {
    String external = String.valueOf(call.externalNode());
    switch (call.rpc()) {
      case CONTROLLER_PUBLISH -> {
        attached.add(external);
        nodes.put(external, call.node());
      }
      case CONTROLLER_UNPUBLISH -> attached.remove(external);
      case NODE_STAGE -> staged.add(call.node());
      case NODE_UNSTAGE -> staged.remove(call.node());
      case NODE_PUBLISH -> mount(String.valueOf(call.alloc()), call.node());
      case NODE_UNPUBLISH -> unmount(String.valueOf(call.alloc()), call.node());
    }
  }

  /** Whether node calls get anywhere there. */
  boolean reachable(String node) {
    NodeView view = world.state.get(ClusterTables.NODES, node);
    return view != null && view.ready();
  }

  private List<Mount> stillMounted(String node) {
    return mounts.stream().filter(mount -> mount.node().equals(node) && !over(mount)).toList();
  }

  /** Whether a mount counts as gone by the rules for lost nodes. */
  private boolean over(Mount mount) {
    NodeView view = world.state.get(ClusterTables.NODES, mount.node());
    if (view == null || view.ready()) {
      return false;
    }
    if (view.status() == NodeStatus.GONE || view.fenced()) {
      return true;
    }
    Instant lost = view.contactLostAt();
    boolean stopped =
        lost != null
            && mount.promise() != null
            && !world.now().isBefore(lost.plus(mount.promise()));
    return view.status() == NodeStatus.DOWN
        && switch (nodeLoss) {
          case DETACH -> true;
          case HOLD -> false;
          case STOP_ON_DISCONNECT -> stopped;
        };
  }

  /** What counted as gone when a decision was made about it is gone, whatever comes later. */
  void forgetMountsThatAreOver() {
    mounts.removeIf(this::over);
    // Whether a lost node's staging is skipped depends on its claims; the mounts are what matters.
    staged.removeIf(node -> !heard(node));
  }

  @Override
  public String toString() {
    return "attached " + attached + " staged " + staged + " mounted " + mounts;
  }
}
