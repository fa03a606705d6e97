package dev.berth.ops.explore;

import dev.berth.streams.cluster.NodeView;

/** How the calls of a simulated world end, and what comes of that. */
final class Answers {
  private final Sim sim;

  Answers(Sim sim) {
    this.sim = sim;
  }

  /**
   * The oldest open call of a notation ends.
   *
   * @return whether there is one, and it can end so
   */
  boolean answer(String rpc, Ending ending) {
    OpenCall call =
        sim.workers().calls().stream()
            .filter(one -> one.text().equals(rpc))
            .findFirst()
            .orElse(null);
    if (call == null || !possible(call, ending)) {
      return false;
    }
    if (ending.done()) {
      String alloc = String.valueOf(call.call().alloc());
      sim.provider().did(call.call(), sim.clients().promises(alloc));
    }
    sim.callRules().ended(call.call(), ending);
    OpenCall next = sim.workers().end(call, ending, sim.streams().now());
    if (next != null) {
      sim.callRules().begins(next.call());
    }
    return true;
  }

  /** Whether a plugin that tells the truth, on a machine that can be reached, can end a call so. */
  boolean possible(OpenCall call, Ending ending) {
    if (!call.work().toController() && !reachable(call.call().node())) {
      return false;
    }
    boolean undoing =
        switch (call.call().rpc()) {
          case CONTROLLER_UNPUBLISH, NODE_UNPUBLISH, NODE_UNSTAGE -> true;
          case CONTROLLER_PUBLISH, NODE_STAGE, NODE_PUBLISH -> false;
        };
    return !(ending == Ending.NOT_FOUND && undoing && sim.provider().undoes(call.call()));
  }

  private boolean reachable(String node) {
    NodeView view = sim.node(node);
    return view != null && view.ready();
  }

  /** The oldest report that was stuck arrives. */
  boolean lateReport() {
    if (sim.workers().late().isEmpty()) {
      return false;
    }
    sim.streams().decide(sim.workers().late().remove(0));
    return true;
  }
}
