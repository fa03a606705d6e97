package dev.berth.bench.core;

import dev.berth.ops.explore.SeenWith;
import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.JobType;
import dev.berth.records.RpcCode;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** One volume, brought by the decider itself to where an event is to meet it. */
final class VolumeScene {
  private static final String NAMESPACE = "bench";

  private final VolumeKey key;
  private final MapState own = new MapState();
  private final State seen;
  private final Deque<LaneRequest> asked = new ArrayDeque<>();

  private VolumeScene(String volume, State cluster) {
    key = new VolumeKey(NAMESPACE, volume);
    seen = new SeenWith(own, cluster);
  }

  /** A volume that is registered and has claims, granted, on as many nodes as there are. */
  static VolumeScene granted(String volume, int claims, int firstNode, State cluster) {
    VolumeScene scene = new VolumeScene(volume, cluster);
    scene.decide(
        new ClaimsEvent.Commanded(
            scene.key,
            new Command(
                "register-" + volume,
                "bench",
                "",
                Cluster.NOW,
                new Command.RegisterVolume(spec(volume)))));
    scene.settleAll();
    for (int i = 0; i < claims; i++) {
      scene.decide(scene.claim("a" + i, Cluster.node(firstNode + i)));
      scene.settleAll();
    }
    return scene;
  }

  MapState rows() {
    return own;
  }

  // ---- events

  ClaimsEvent claim(String alloc, String node) {
    return stated(
        alloc,
        1,
        new ClaimsEvent.Asked(
            new ClaimAsk(
                Cluster.SCHEDULER,
                "r-" + alloc,
                node,
                "job",
                JobType.SERVICE,
                ClaimMode.WRITE,
                AccessMode.MULTI_NODE_MULTI_WRITER,
                AttachmentMode.FILE_SYSTEM,
                null,
                Cluster.NOW)));
  }

  ClaimsEvent ended(String alloc) {
    return stated(
        alloc, 2, new ClaimsEvent.StatusChanged(ClientStatus.COMPLETE, DesiredStatus.RUN));
  }

  ClaimsEvent unmounted(String alloc) {
    return stated(alloc, 3, new ClaimsEvent.Unmounted(null));
  }

  /** The lanes took the oldest request that is open, or did it. */
  ClaimsEvent answered(boolean done) {
    LaneRequest request = asked.element();
    Settlement.Body body =
        done
            ? new Settlement.Done(RpcCode.OK, false, Map.of("device", "xvdf"))
            : new Settlement.Accepted();
    return settled(request, body);
  }

  private ClaimsEvent stated(String alloc, long index, ClaimsEvent.Statement statement) {
    return new ClaimsEvent.Stated(key, Cluster.SCHEDULER, index, alloc, statement);
  }

  private ClaimsEvent settled(LaneRequest request, Settlement.Body body) {
    String machine =
        request.body() instanceof LaneRequest.Enqueue enqueue
            ? Cluster.machine(enqueue.call().node())
            : null;
    return new ClaimsEvent.Settled(
        key,
        new Settlement(
            request.requestId(),
            request.volumeKey(),
            request.plugin(),
            machine,
            Cluster.NOW,
            body));
  }

  // ---- deciding

  void decide(ClaimsEvent event) {
    Decision<ClaimsEffect> decision =
        ClaimsDecider.decide(seen, event, Cluster.NOW, Policies.DEFAULTS);
    own.applyAll(decision.changes());
    for (ClaimsEffect effect : decision.effects()) {
      if (effect instanceof ClaimsEffect.Requested requested) {
        asked.add(requested.request());
      }
    }
  }

  private void settleAll() {
    while (!asked.isEmpty()) {
      LaneRequest request = asked.remove();
      if (request.body() instanceof LaneRequest.ReserveExternalId id) {
        decide(settled(request, new Settlement.ExternalIdReserved(id.externalVolume())));
      } else if (request.body() instanceof LaneRequest.Enqueue) {
        decide(settled(request, new Settlement.Accepted()));
        decide(settled(request, new Settlement.Done(RpcCode.OK, false, Map.of("device", "xvdf"))));
      }
    }
  }

  private static VolumeSpec spec(String volume) {
    return new VolumeSpec(
        NAMESPACE,
        volume,
        Cluster.PLUGIN,
        "vol-" + volume,
        List.of(
            new VolumeSpec.Capability(
                AccessMode.MULTI_NODE_MULTI_WRITER, AttachmentMode.FILE_SYSTEM)),
        Map.of(),
        Map.of(),
        Map.of(),
        null,
        List.of(),
        List.of());
  }
}
