package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policy;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes scenes canonical: two scenes from which the same can happen, step by step, become one.
 * Numbers are given anew, times are counted from now, words and what is only shown go. Only for
 * scenes of prompt worlds, in which no record is on its way.
 */
final class Canonical {
  private final Duration collectable;
  private final int maxAttempts;
  private final Remembered<ClaimsKey, CanonicalClaims.Renamed> claims = new Remembered<>();
  private final Remembered<LanesKey, CanonicalLanes.Renamed> lanes = new Remembered<>();
  private final Remembered<ClusterKey, Rows> clusters = new Remembered<>();
  private final Interning<Rows.Row> rows;

  private record ClaimsKey(Rows rows, Rows cluster, Instant now) {}

  private record LanesKey(Rows rows, Instant now, List<CanonicalClaims.Renamed> named) {}

  private record ClusterKey(Rows rows, Instant now) {}

  Canonical(Setup setup, Interning<Rows.Row> rows) {
    Policy policy = setup.policies().byDefault();
    collectable = policy.gc().threshold();
    maxAttempts = policy.maxAttempts();
    this.rows = rows;
  }

  /** The canonical scene of a scene. */
  Scene of(Scene scene) {
    if (scene.busy()) {
      throw new IllegalArgumentException("records are on their way: " + scene);
    }
    Shift shift = new Shift(scene.now());
    List<Rows> volumes = new ArrayList<>();
    List<CanonicalClaims.Renamed> named = new ArrayList<>();
    for (Rows volume : scene.claims()) {
      CanonicalClaims.Renamed renamed =
          claims.get(
              new ClaimsKey(volume, scene.cluster(), scene.now()),
              key -> {
                CanonicalClaims.Renamed fresh =
                    CanonicalClaims.of(volume, scene.cluster(), shift, collectable);
                return new CanonicalClaims.Renamed(shared(fresh.rows()), fresh.requests());
              });
      volumes.add(renamed.rows());
      named.add(renamed);
    }
    CanonicalLanes.Renamed renamed =
        lanes.get(
            new LanesKey(scene.lanes(), scene.now(), named),
            key -> {
              CanonicalLanes.Renamed fresh =
                  CanonicalLanes.of(scene.lanes(), shift, maxAttempts, named);
              return new CanonicalLanes.Renamed(
                  shared(fresh.rows()), fresh.requests(), fresh.attempts());
            });
    Rows cluster = cluster(scene.cluster(), shift);
    return new Scene(
        Sim.BEGIN,
        cluster,
        cluster(scene.volumesView(), shift),
        cluster(scene.lanesView(), shift),
        volumes,
        renamed.rows(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        scene.work().stream().map(work -> work(work, scene, renamed)).toList(),
        List.of(),
        late(scene, renamed),
        scene.calls().stream()
            .map(
                call ->
                    new OpenCall(
                        work(call.work(), scene, renamed), call.index(), shift.ahead(call.until())))
            .toList(),
        scene.attached(),
        scene.mounts(),
        scene.staged(),
        scene.begun(),
        scene.allocs().stream().map(Canonical::alloc).toList(),
        scene.machines());
  }

  private Rows cluster(Rows tables, Shift shift) {
    return clusters.get(
        new ClusterKey(tables, shift.now()), key -> shared(CanonicalCluster.of(tables, shift)));
  }

  private Rows shared(Rows fresh) {
    return Rows.of(fresh.all().stream().map(rows::one).toList());
  }

  /** Whether work is for the node as it is now, or for what it was before: no more matters. */
  private static Work work(Work work, Scene scene, CanonicalLanes.Renamed renamed) {
    NodeView node = scene.cluster().get(ClusterTables.NODES, work.instanceNode());
    boolean present = node != null && node.incarnation() == work.nodeIncarnation();
    long incarnation =
        work.toController()
            ? 0
            : present ? CanonicalCluster.INCARNATION : CanonicalCluster.INCARNATION - 1;
    return CanonicalLanes.renamed(work, renamed.attempts(), renamed.requests(), incarnation);
  }

  /** Reports of attempts that are over change nothing any more. */
  private static List<LanesEvent.OutcomeArrived> late(Scene scene, CanonicalLanes.Renamed renamed) {
    return scene.late().stream()
        .filter(report -> scene.lanes().get(LaneTables.ATTEMPTS, report.attemptId()) != null)
        .map(report -> CanonicalLanes.renamed(report, renamed.attempts(), renamed.requests()))
        .toList();
  }

  private static Alloc alloc(Alloc alloc) {
    ClientStatus status = alloc.over() ? ClientStatus.COMPLETE : ClientStatus.PENDING;
    return new Alloc(
        alloc.id(), alloc.node(), alloc.promises(), status, alloc.gone(), 1, alloc.volumes());
  }
}
