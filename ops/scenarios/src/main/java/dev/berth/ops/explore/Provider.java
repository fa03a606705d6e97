package dev.berth.ops.explore;

import dev.berth.records.NodeStatus;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is really attached, staged and mounted, whatever anybody believes. Answers nothing by
 * itself: how a call ends is a step of its own.
 */
final class Provider {
  private final Setup setup;
  private final Policy policy;

  /** How often each node was made anew. */
  private final Map<String, Integer> lives = new HashMap<>();

  private final TreeSet<Attached> attached =
      new TreeSet<>(Comparator.comparing(Attached::volume).thenComparing(Attached::machine));
  private final TreeSet<Mount> mounts =
      new TreeSet<>(
          Comparator.comparing(Mount::volume)
              .thenComparing(Mount::node)
              .thenComparing(Mount::alloc));
  private final TreeSet<Staged> staged =
      new TreeSet<>(Comparator.comparing(Staged::volume).thenComparing(Staged::node));

  /** A volume attached to a machine; both by the provider's names, with the node that it is. */
  record Attached(String volume, String machine, String node) {}

  /** A volume (Berth's id) mounted on a machine for an alloc. */
  record Mount(String volume, String node, String machine, String alloc, boolean promises) {}

  /** A volume (Berth's id) staged by a node worker. */
  record Staged(String volume, String node) {}

  Provider(Setup setup) {
    this.setup = setup;
    policy = setup.policies().byDefault();
    setup.nodes().forEach(node -> lives.put(node, 0));
  }

  void restore(Scene scene) {
    for (int i = 0; i < setup.nodes().size(); i++) {
      lives.put(setup.nodes().get(i), scene.machines().get(i));
    }
    attached.clear();
    attached.addAll(scene.attached());
    mounts.clear();
    mounts.addAll(scene.mounts());
    staged.clear();
    staged.addAll(scene.staged());
  }

  List<Attached> attached() {
    return new ArrayList<>(attached);
  }

  List<Mount> mounts() {
    return new ArrayList<>(mounts);
  }

  List<Staged> staged() {
    return new ArrayList<>(staged);
  }

  /** Whether a volume (the provider's id) is attached to a machine. */
  boolean isAttached(String volume, @Nullable String machine) {
    return attached.stream()
        .anyMatch(one -> one.volume().equals(volume) && one.machine().equals(machine));
  }

  /** Whether what a call undoes is there. */
  boolean undoes(Call call) {
    return switch (call.rpc()) {
      case CONTROLLER_UNPUBLISH -> isAttached(call.externalVolume(), call.externalNode());
      case NODE_UNPUBLISH -> mountOf(call.volume(), String.valueOf(call.alloc())) != null;
      case NODE_UNSTAGE -> isStaged(call.volume(), call.node());
      case CONTROLLER_PUBLISH, NODE_STAGE, NODE_PUBLISH -> false;
    };
  }

  @Nullable Mount mountOf(String volume, String alloc) {
    return mounts.stream()
        .filter(mount -> mount.volume().equals(volume) && mount.alloc().equals(alloc))
        .findFirst()
        .orElse(null);
  }

  void mount(String volume, String node, String alloc, boolean promises) {
    String machine = machine(setup.spec(volume).plugin(), node);
    mounts.add(new Mount(volume, node, machine, alloc, promises));
  }

  void unmount(String volume, String alloc) {
    mounts.removeIf(mount -> mount.volume().equals(volume) && mount.alloc().equals(alloc));
  }

  /** The provider's name for the machine that a node is now. */
  String machine(String plugin, String node) {
    return Setup.machine(plugin, node, life(node));
  }

  int life(String node) {
    return lives.getOrDefault(node, 0);
  }

  /** A node is another machine from now on, with nothing mounted or staged. */
  void anew(String node, int life) {
    lives.put(node, life);
    mounts.removeIf(mount -> mount.node().equals(node));
    staged.removeIf(one -> one.node().equals(node));
  }

  boolean isStaged(String volume, String node) {
    return staged.contains(new Staged(volume, node));
  }

  void unstaged(String volume, String node) {
    staged.remove(new Staged(volume, node));
  }

  /** Nothing of a volume is mounted or staged on a node any more. */
  void stopped(String volume, String node) {
    mounts.removeIf(mount -> mount.volume().equals(volume) && mount.node().equals(node));
    unstaged(volume, node);
  }

  /** An operator has detached a volume with the provider's own tools. */
  void detachedByHand(String volume, String node) {
    stopped(volume, node);
    String external = setup.spec(volume).externalId();
    attached.removeIf(one -> one.volume().equals(external) && one.node().equals(node));
  }

  /** A call has had its effect. */
  void did(Call call, boolean promises) {
    String machine = String.valueOf(call.externalNode());
    String alloc = String.valueOf(call.alloc());
    switch (call.rpc()) {
      case CONTROLLER_PUBLISH ->
          attached.add(new Attached(call.externalVolume(), machine, call.node()));
      case CONTROLLER_UNPUBLISH ->
          attached.remove(new Attached(call.externalVolume(), machine, call.node()));
      case NODE_STAGE -> staged.add(new Staged(call.volume(), call.node()));
      case NODE_UNSTAGE -> unstaged(call.volume(), call.node());
      case NODE_PUBLISH -> mount(call.volume(), call.node(), alloc, promises);
      case NODE_UNPUBLISH -> unmount(call.volume(), alloc);
    }
  }

  // ---- lost nodes

  /** What the rules take for undone on lost nodes is undone, whatever comes later. */
  void forgetWhatIsOver(Function<String, @Nullable NodeView> nodes, Instant now) {
    if (mounts.isEmpty() && staged.isEmpty()) {
      return;
    }
    mounts.removeIf(mount -> over(mount, nodes.apply(mount.node()), now));
    staged.removeIf(
        one -> {
          NodeView node = nodes.apply(one.node());
          return node == null || node.vouchedFor() || lost(node);
        });
  }

  private static boolean lost(NodeView node) {
    return node.status() == NodeStatus.DOWN || node.status() == NodeStatus.GONE;
  }

  /** Whether the rules take a mount for undone, its node being lost. */
  boolean over(Mount mount, @Nullable NodeView node, Instant now) {
    if (node == null || node.ready()) {
      return false;
    }
    if (node.status() == NodeStatus.GONE || node.vouchedFor()) {
      return true;
    }
    Instant since = node.contactLostAt();
    boolean stopped = mount.promises() && since != null && !now.isBefore(since.plus(Sim.PROMISE));
    return node.status() == NodeStatus.DOWN
        && switch (policy.nodeLoss()) {
          case DETACH -> true;
          case HOLD -> false;
          case STOP_ON_DISCONNECT -> stopped;
        };
  }

  @Override
  public String toString() {
    return "attached " + attached + " mounted " + mounts + " staged " + staged;
  }
}
