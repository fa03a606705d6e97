package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What may happen in a world: every step that makes sense at a moment, by letters.
 *
 * @param letters kinds of steps
 * @param claims claims that may be made
 * @param statuses what clients may report
 * @param endings how controller calls may end
 * @param nodeEndings how node calls may end
 * @param nodes what may be said of nodes
 * @param tick how much time passes at once
 * @param late most reports stuck at a time (count)
 */
record Alphabet(
    Set<Step.Letter> letters,
    List<Step.Claim> claims,
    List<ClientStatus> statuses,
    List<Ending> endings,
    List<Ending> nodeEndings,
    List<NodeStatus> nodes,
    Duration tick,
    int late) {

  /** Keeps copies. */
  Alphabet {
    letters = Set.copyOf(letters);
    claims = List.copyOf(claims);
    statuses = List.copyOf(statuses);
    endings = List.copyOf(endings);
    nodeEndings = List.copyOf(nodeEndings);
    nodes = List.copyOf(nodes);
  }

  /** Every step that makes sense now, in a fixed order. */
  List<Step> possible(Sim sim) {
    Set<Step> steps = new LinkedHashSet<>();
    claims(sim, steps);
    allocs(sim, steps);
    cluster(sim, steps);
    commands(sim, steps);
    calls(sim, steps);
    deliveries(sim, steps);
    steps.add(new Step.Time(tick));
    steps.add(new Step.RestartStreams());
    steps.removeIf(step -> !letters.contains(step.letter()));
    return new ArrayList<>(steps);
  }

  private void claims(Sim sim, Set<Step> steps) {
    for (Step.Claim claim : claims) {
      Alloc alloc = sim.clients().alloc(claim.alloc());
      Claim row = sim.claim(claim.volume(), claim.alloc());
      boolean there = alloc == null || alloc.node().equals(claim.node());
      boolean alive = alloc == null || !(alloc.over() || alloc.gone());
      boolean anew = row == null || (row.ending() != null && row.again() == null);
      if (there && alive && anew) {
        steps.add(claim);
      }
    }
  }

  private void allocs(Sim sim, Set<Step> steps) {
    for (Alloc alloc : sim.clients().allocs()) {
      if (!alloc.over() && !alloc.gone()) {
        statuses.forEach(status -> steps.add(new Step.Status(alloc.id(), status)));
      }
      if (!alloc.gone()) {
        steps.add(new Step.Gone(alloc.id()));
      }
      for (String volume : alloc.volumes()) {
        if (sim.clients().canUnmount(alloc.id(), volume)) {
          steps.add(new Step.Unmounted(alloc.id(), volume));
          steps.add(new Step.UnmountFailed(alloc.id(), volume));
        }
      }
    }
  }

  private void cluster(Sim sim, Set<Step> steps) {
    for (String id : sim.setup().nodes()) {
      NodeView node = sim.node(id);
      for (NodeStatus status : nodes) {
        boolean gone = node != null && node.status() == NodeStatus.GONE;
        if (node != null && node.status() != status && (!gone || status == NodeStatus.READY)) {
          steps.add(new Step.Node(id, status));
        }
      }
    }
    for (String plugin : sim.setup().plugins()) {
      for (InstanceView controller : ClusterTables.controllers(sim.streams().cluster(), plugin)) {
        steps.add(new Step.Controller(plugin, controller.node(), !controller.healthy()));
      }
      for (String id : sim.setup().nodes()) {
        InstanceView told = ClusterTables.nodeInstance(sim.streams().cluster(), plugin, id);
        if (told != null) {
          steps.add(new Step.NodePlugin(plugin, id, told.externalNode() == null));
        }
      }
    }
  }

  private static void commands(Sim sim, Set<Step> steps) {
    for (String id : sim.setup().nodes()) {
      NodeView node = sim.node(id);
      if (node != null && node.fenced()) {
        steps.add(new Step.Operator(new Command.UnfenceNode(id)));
      } else if (node != null && !node.ready()) {
        steps.add(new Step.Operator(new Command.FenceNode(id)));
      }
    }
    for (VolumeSpec spec : sim.setup().volumes()) {
      String namespace = spec.namespace();
      String volume = spec.volume();
      for (String node : sim.setup().nodes()) {
        if (!sim.countingOn(volume, node).isEmpty()) {
          steps.add(new Step.Operator(new Command.DetachVolume(namespace, volume, node)));
          steps.add(new Step.Operator(new Command.AssumeDetached(namespace, volume, node)));
        }
      }
      if (!sim.streams()
          .claims(volume)
          .values(dev.berth.streams.claims.ClaimTables.CLAIMS)
          .isEmpty()) {
        steps.add(new Step.Operator(new Command.RetryVolume(namespace, volume, null)));
        steps.add(new Step.Operator(new Command.UnblockVolume(namespace, volume)));
      }
    }
    for (String plugin : sim.setup().plugins()) {
      steps.add(new Step.Operator(new Command.PausePlugin(plugin)));
      steps.add(new Step.Operator(new Command.ResumePlugin(plugin)));
    }
    steps.add(new Step.Operator(new Command.CollectGarbage()));
  }

  private void calls(Sim sim, Set<Step> steps) {
    for (OpenCall call : sim.workers().calls()) {
      for (Ending ending : call.work().toController() ? endings : nodeEndings) {
        boolean room = ending.report() != Ending.Report.LATE || sim.workers().late().size() < late;
        if (room && sim.answers().possible(call, ending)) {
          steps.add(new Step.Answer(call.text(), ending));
        }
      }
    }
    if (!sim.workers().late().isEmpty()) {
      steps.add(new Step.LateReport());
    }
  }

  private static void deliveries(Sim sim, Set<Step> steps) {
    Streams.Ways ways = sim.streams().ways();
    for (int i = 0; i < sim.setup().volumes().size(); i++) {
      String key = sim.setup().volumes().get(i).key();
      if (ways.requests.stream().anyMatch(one -> one.volumeKey().equals(key))) {
        steps.add(new Step.Delivery(Step.Way.REQUESTS, i));
      }
      if (ways.settlements.stream().anyMatch(one -> one.volumeKey().equals(key))) {
        steps.add(new Step.Delivery(Step.Way.SETTLEMENTS, i));
      }
    }
    if (!ways.volumeSignals.isEmpty()) {
      steps.add(new Step.Delivery(Step.Way.VOLUME_SIGNALS, 0));
    }
    if (!ways.laneSignals.isEmpty()) {
      steps.add(new Step.Delivery(Step.Way.LANE_SIGNALS, 0));
    }
    for (int i = 0; i < ways.work.size(); i++) {
      steps.add(new Step.Delivery(Step.Way.WORK, i));
    }
    for (int i = 0; i < sim.workers().reports().size(); i++) {
      steps.add(new Step.Delivery(Step.Way.REPORTS, i));
    }
  }
}
