package dev.berth.bench.core;

import dev.berth.ops.explore.SeenWith;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NotSentReason;
import dev.berth.records.RpcCode;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.CallEnd;
import dev.berth.streams.lanes.LanesDecider;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The lane of one plugin, brought by the decider itself to where an event is to meet it. */
final class LaneScene {
  private static final Duration USUAL_CALL = Duration.ofMillis(2_500);

  private final String plugin;
  private final MapState own = new MapState();
  private final State seen;
  private final Deque<Work> dispatched = new ArrayDeque<>();

  private LaneScene(String plugin, State cluster) {
    this.plugin = plugin;
    seen = new SeenWith(own, cluster);
  }

  /** A lane in which one call is out, not accepted yet, and the others wait. */
  static LaneScene busy(String plugin, int calls, State cluster) {
    LaneScene scene = new LaneScene(plugin, cluster);
    // A call that took its usual time: so that the next ones go out one by one, as slow ones do.
    scene.decide(scene.requested("first"));
    scene.decide(scene.accepted());
    scene.decide(scene.done());
    for (int i = 0; i < calls; i++) {
      scene.decide(scene.requested("v" + i));
    }
    return scene;
  }

  MapState rows() {
    return own;
  }

  LanesEvent requested(String volume) {
    String node = Cluster.node(volume.hashCode() & 0xffff);
    Call call =
        new Call(
            CsiCall.CONTROLLER_PUBLISH,
            "bench",
            volume,
            null,
            node,
            "vol-" + volume,
            Cluster.machine(node),
            AccessMode.SINGLE_NODE_WRITER,
            AttachmentMode.FILE_SYSTEM,
            false,
            null,
            List.of(),
            Map.of(),
            Map.of(),
            Map.of());
    return new LanesEvent.Requested(
        new LaneRequest(
            "bench/" + volume + "#1",
            plugin,
            "bench/" + volume,
            Cluster.NOW,
            new LaneRequest.Enqueue(call, true)));
  }

  /** A worker accepts the call that is out. */
  LanesEvent accepted() {
    Work work = dispatched.element();
    return new LanesEvent.Accepted(
        work.attemptId(), "acceptance", plugin, "worker", work.timeout());
  }

  /** The call that is out, and accepted, is done. */
  LanesEvent done() {
    Work work = dispatched.element();
    return new LanesEvent.OutcomeArrived(
        work.attemptId(),
        "acceptance",
        plugin,
        work.calls().get(0).requestId(),
        0,
        new CallEnd(
            CallFate.ANSWERED,
            NotSentReason.NONE,
            RpcCode.OK,
            "",
            Map.of("device", "xvdf"),
            Cluster.NOW.minus(USUAL_CALL),
            Cluster.NOW));
  }

  void decide(LanesEvent event) {
    Decision<LanesEffect> decision =
        LanesDecider.decide(seen, event, Cluster.NOW, Policies.DEFAULTS);
    own.applyAll(decision.changes());
    if (event instanceof LanesEvent.OutcomeArrived) {
      dispatched.remove();
    }
    for (LanesEffect effect : decision.effects()) {
      if (effect instanceof LanesEffect.Dispatch dispatch) {
        dispatched.add(dispatch.work());
      }
    }
  }
}
