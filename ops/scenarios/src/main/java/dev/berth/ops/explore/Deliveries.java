package dev.berth.ops.explore;

import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.util.List;
import java.util.function.Consumer;

/** Hands over the records that are on their way in a simulated world. */
final class Deliveries {
  private final Sim sim;

  Deliveries(Sim sim) {
    this.sim = sim;
  }

  /**
   * Hands over one record.
   *
   * @param which its place, or that of its volume where several volumes have an order each
   * @return whether there is one
   */
  boolean deliver(Step.Way way, int which) {
    Streams.Ways ways = sim.streams().ways();
    return switch (way) {
      case REQUESTS ->
          deliver(ways.requests, firstOf(ways.requests, which), sim.streams()::deliver);
      case SETTLEMENTS ->
          deliver(ways.settlements, firstOfVolume(ways.settlements, which), sim.streams()::deliver);
      case VOLUME_SIGNALS -> deliver(ways.volumeSignals, 0, sim.streams()::deliverToVolumes);
      case LANE_SIGNALS -> deliver(ways.laneSignals, 0, sim.streams()::deliverToLanes);
      case WORK -> which < ways.work.size() && accept(which);
      case REPORTS -> deliver(sim.workers().reports(), which, sim.streams()::decide);
    };
  }

  private static <T> boolean deliver(List<T> way, int which, Consumer<T> to) {
    if (which < 0 || which >= way.size()) {
      return false;
    }
    to.accept(way.remove(which));
    return true;
  }

  /** Requests of one volume keep their order; those of several cross. */
  private int firstOf(List<LaneRequest> way, int volume) {
    String key = key(volume);
    for (int i = 0; i < way.size(); i++) {
      if (way.get(i).volumeKey().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private int firstOfVolume(List<Settlement> way, int volume) {
    String key = key(volume);
    for (int i = 0; i < way.size(); i++) {
      if (way.get(i).volumeKey().equals(key)) {
        return i;
      }
    }
    return -1;
  }

  private String key(int volume) {
    return volume < sim.setup().volumes().size() ? sim.setup().volumes().get(volume).key() : "";
  }

  private boolean accept(int which) {
    Work work = sim.streams().ways().work.get(which);
    if (!work.toController()) {
      NodeView node = sim.node(work.instanceNode());
      if (node == null || !node.ready()) {
        return false;
      }
      if (node.incarnation() != work.nodeIncarnation()) {
        sim.streams().ways().work.remove(which);
        sim.workers().refuse(work, sim.streams().now());
        return true;
      }
    }
    sim.streams().ways().work.remove(which);
    OpenCall call = sim.workers().accept(work, sim.streams().now());
    sim.callRules().begins(call.call());
    return true;
  }

  /** Hands over everything that is on its way, until nothing is. */
  void deliverAll() {
    boolean more = true;
    while (more) {
      more =
          deliver(Step.Way.VOLUME_SIGNALS, 0)
              || deliver(Step.Way.LANE_SIGNALS, 0)
              || deliver(sim.streams().ways().requests, 0, sim.streams()::deliver)
              || deliver(sim.streams().ways().settlements, 0, sim.streams()::deliver)
              || acceptAny()
              || deliver(sim.workers().reports(), 0, sim.streams()::decide);
    }
  }

  private boolean acceptAny() {
    for (int i = 0; i < sim.streams().ways().work.size(); i++) {
      if (accept(i)) {
        return true;
      }
    }
    return false;
  }

  /** News of the cluster takes moments, not minutes. */
  void newsOfTheCluster() {
    while (!sim.streams().ways().volumeSignals.isEmpty()) {
      sim.streams().deliverToVolumes(sim.streams().ways().volumeSignals.remove(0));
    }
    while (!sim.streams().ways().laneSignals.isEmpty()) {
      sim.streams().deliverToLanes(sim.streams().ways().laneSignals.remove(0));
    }
  }

  /** Everything that volumes have asked for reaches the lanes. */
  void allRequests() {
    boolean more = true;
    while (more) {
      more = deliver(sim.streams().ways().requests, 0, sim.streams()::deliver);
    }
  }
}
