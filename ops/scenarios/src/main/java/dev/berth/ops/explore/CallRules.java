package dev.berth.ops.explore;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStep;
import dev.berth.records.RpcCode;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimTerms;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What must hold of a call when it begins, by what is really so and by what was said before. */
final class CallRules {
  private final Sim sim;

  /**
   * Attaches of single-node volumes that began, and of which nobody has said that they are undone.
   */
  private final TreeSet<Provider.Attached> begun =
      new TreeSet<>(
          Comparator.comparing(Provider.Attached::volume)
              .thenComparing(Provider.Attached::machine));

  /**
   * Those of them that began more than once: one that comes to nothing says nothing of the rest.
   */
  private final Set<Provider.Attached> again = new HashSet<>();

  CallRules(Sim sim) {
    this.sim = sim;
  }

  void restore(Scene scene) {
    begun.clear();
    again.clear();
    // Scenes do not keep how often: what is not known to have begun once is not taken back.
    again.addAll(scene.begun());
    begun.addAll(scene.begun());
  }

  List<Provider.Attached> begun() {
    return new ArrayList<>(begun);
  }

  /** A call is about to be made: it must be a safe one. */
  void begins(Call call) {
    String volume = call.volume();
    switch (call.rpc()) {
      case CONTROLLER_PUBLISH -> {
        if (sim.setup().singleNode(volume)) {
          attaches(call);
        }
      }
      case CONTROLLER_UNPUBLISH -> detaches(call);
      case NODE_UNSTAGE -> noMountIsThere(call, machineOf(call));
      case NODE_STAGE, NODE_PUBLISH, NODE_UNPUBLISH -> {}
    }
  }

  private void attaches(Call call) {
    List<Provider.Attached> elsewhere =
        sim.provider().attached().stream().filter(one -> isElsewhere(call, one)).toList();
    if (!elsewhere.isEmpty()) {
      broken(call, "of a single-node volume while attached is " + elsewhere);
    }
    List<Provider.Attached> owed = begun.stream().filter(one -> isElsewhere(call, one)).toList();
    if (!owed.isEmpty()) {
      broken(call, "of a single-node volume before an answer that undoes " + owed);
    }
    if (!begun.add(what(call))) {
      again.add(what(call));
    }
  }

  private static boolean isElsewhere(Call call, Provider.Attached one) {
    return one.volume().equals(call.externalVolume())
        && !one.machine().equals(String.valueOf(call.externalNode()));
  }

  private void detaches(Call call) {
    String machine = String.valueOf(call.externalNode());
    noMountIsThere(call, machine);
    everyClaimThereSaysWhy(call, machine);
    NodeView node = sim.node(call.node());
    boolean reachable = node != null && node.ready();
    if (reachable
        && machine.equals(machineOf(call))
        && sim.provider().isStaged(call.volume(), call.node())) {
      broken(call, "of what is staged on " + call.node());
    }
  }

  /** What was granted on the machine has its node step recorded, and by whom. */
  private void everyClaimThereSaysWhy(Call call, String machine) {
    for (Claim claim : sim.streams().claims(call.volume()).values(ClaimTables.CLAIMS)) {
      ClaimTerms terms = claim.terms();
      boolean there =
          claim.granted()
              && claim.node().equals(call.node())
              && terms != null
              && machine.equals(terms.externalNode());
      if (there && (claim.nodeStep() == NodeStep.OPEN || claim.nodeStep() == NodeStep.FAILED)) {
        broken(call, "without a recorded reason under " + claim);
      }
    }
  }

  private void noMountIsThere(Call call, String machine) {
    for (Provider.Mount mount : sim.provider().mounts()) {
      if (mount.volume().equals(call.volume())
          && mount.machine().equals(machine)
          && !sim.provider().over(mount, sim.node(mount.node()), sim.streams().now())) {
        broken(call, "under " + mount);
      }
    }
  }

  private String machineOf(Call call) {
    return sim.provider().machine(sim.setup().spec(call.volume()).plugin(), call.node());
  }

  private void broken(Call call, String what) {
    sim.breaks(OpenCall.text(call) + " " + what);
  }

  /** A call has ended: its plugin may have said that an attach is undone, or never was. */
  void ended(Call call, Ending ending) {
    boolean undone =
        ending.fate() == CallFate.ANSWERED
            && (call.rpc() == CsiCall.CONTROLLER_UNPUBLISH
                ? saysDetached(ending.code())
                : call.rpc() == CsiCall.CONTROLLER_PUBLISH
                    && ending.code() == RpcCode.UNIMPLEMENTED);
    boolean neverBegan =
        ending.fate() == CallFate.UNREACHED
            && call.rpc() == CsiCall.CONTROLLER_PUBLISH
            && !again.contains(what(call));
    if (undone || neverBegan) {
      begun.remove(what(call));
      again.remove(what(call));
    }
  }

  private boolean saysDetached(RpcCode code) {
    return code == RpcCode.OK
        || (code == RpcCode.NOT_FOUND
            && sim.setup().policies().byDefault().unpublishNotFound()
                == Policy.UnpublishNotFound.RELEASED);
  }

  /** An operator has detached a volume with the provider's own tools, and says so. */
  void detachedByHand(String volume, String node) {
    String external = sim.setup().spec(volume).externalId();
    begun.removeIf(one -> one.volume().equals(external) && one.node().equals(node));
  }

  private static Provider.Attached what(Call call) {
    return new Provider.Attached(
        call.externalVolume(), String.valueOf(call.externalNode()), call.node());
  }
}
