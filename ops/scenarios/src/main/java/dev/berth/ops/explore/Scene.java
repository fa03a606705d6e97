package dev.berth.ops.explore;

import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.List;

/**
 * Everything that there is in a simulated world at one moment; immutable.
 *
 * @param now the time
 * @param cluster tables of {@code Cluster}
 * @param volumesView the copy of the cluster that claims are decided with
 * @param lanesView the copy of the cluster that lanes are decided with
 * @param claims tables of the claims, volume by volume in the order of the setup
 * @param lanes tables of the lanes
 * @param requests on their way to the lanes
 * @param settlements on their way to the claims
 * @param volumeSignals on their way to the claims
 * @param laneSignals on their way to the lanes
 * @param work dispatched and not accepted
 * @param reports acceptances and outcomes on their way to the lanes
 * @param late outcomes that are stuck somewhere
 * @param calls calls that workers are making, the oldest first
 * @param attached what is attached at the provider, in order
 * @param mounts what is mounted, in order
 * @param staged what node workers have staged, in order
 * @param begun attaches of single-node volumes that began and were not said to be undone, in order
 * @param allocs what the scheduler knows, in order
 * @param machines how often each node has been made anew, in the order of the setup's nodes
 */
record Scene(
    Instant now,
    Rows cluster,
    Rows volumesView,
    Rows lanesView,
    List<Rows> claims,
    Rows lanes,
    List<LaneRequest> requests,
    List<Settlement> settlements,
    List<ClusterSignal> volumeSignals,
    List<ClusterSignal> laneSignals,
    List<Work> work,
    List<LanesEvent> reports,
    List<LanesEvent.OutcomeArrived> late,
    List<OpenCall> calls,
    List<Provider.Attached> attached,
    List<Provider.Mount> mounts,
    List<Provider.Staged> staged,
    List<Provider.Attached> begun,
    List<Alloc> allocs,
    List<Integer> machines) {

  /** Keeps copies. */
  Scene {
    claims = List.copyOf(claims);
    requests = List.copyOf(requests);
    settlements = List.copyOf(settlements);
    volumeSignals = List.copyOf(volumeSignals);
    laneSignals = List.copyOf(laneSignals);
    work = List.copyOf(work);
    reports = List.copyOf(reports);
    late = List.copyOf(late);
    calls = List.copyOf(calls);
    attached = List.copyOf(attached);
    mounts = List.copyOf(mounts);
    staged = List.copyOf(staged);
    begun = List.copyOf(begun);
    allocs = List.copyOf(allocs);
    machines = List.copyOf(machines);
  }

  /** Whether a record is on its way. */
  boolean busy() {
    return !(requests.isEmpty()
        && settlements.isEmpty()
        && volumeSignals.isEmpty()
        && laneSignals.isEmpty()
        && reports.isEmpty());
  }
}
