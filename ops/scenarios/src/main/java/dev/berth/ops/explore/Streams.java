package dev.berth.ops.explore;

import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.Wake;
import dev.berth.streams.cluster.ClusterCopy;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application of a simulated world: the three deciders, what lies in their tables, and the
 * records between them. It does what the processors of package {@code topology} do, without topics:
 * a record waits in a list until somebody has it delivered.
 */
final class Streams {
  private final Setup setup;
  private final Deciders deciders;
  private final Policies policies;
  private final Consumer<ClaimsEffect.Replied> replies;
  private final Watch watch;

  private Instant now;
  private Rows cluster = Rows.NONE;
  private Rows volumesView = Rows.NONE;
  private Rows lanesView = Rows.NONE;
  private Rows lanes = Rows.NONE;
  private final List<Rows> claims = new ArrayList<>();
  private final Ways ways = new Ways();

  /** Who sees every decision about a volume. */
  interface Watch {

    /**
     * A volume was decided.
     *
     * @param before its rows before
     * @param event what was decided
     */
    void decided(Rows before, ClaimsEvent event);
  }

  /** Records on their way, in the order in which they were written. */
  static final class Ways {
    final List<LaneRequest> requests = new ArrayList<>();
    final List<Settlement> settlements = new ArrayList<>();
    final List<ClusterSignal> volumeSignals = new ArrayList<>();
    final List<ClusterSignal> laneSignals = new ArrayList<>();
    final List<Work> work = new ArrayList<>();
  }

  Streams(
      Setup setup,
      Deciders deciders,
      Instant now,
      Consumer<ClaimsEffect.Replied> replies,
      Watch watch) {
    this.setup = setup;
    this.deciders = deciders;
    this.now = now;
    this.replies = replies;
    this.watch = watch;
    policies = setup.policies();
    setup.volumes().forEach(volume -> claims.add(Rows.NONE));
  }

  /** As it was in a scene. */
  void restore(Scene scene) {
    now = scene.now();
    cluster = scene.cluster();
    volumesView = scene.volumesView();
    lanesView = scene.lanesView();
    lanes = scene.lanes();
    for (int i = 0; i < claims.size(); i++) {
      claims.set(i, scene.claims().get(i));
    }
    replace(ways.requests, scene.requests());
    replace(ways.settlements, scene.settlements());
    replace(ways.volumeSignals, scene.volumeSignals());
    replace(ways.laneSignals, scene.laneSignals());
    replace(ways.work, scene.work());
  }

  private static <T> void replace(List<T> list, List<T> by) {
    list.clear();
    list.addAll(by);
  }

  Ways ways() {
    return ways;
  }

  Instant now() {
    return now;
  }

  void at(Instant time) {
    now = time;
  }

  Policies policies() {
    return policies;
  }

  /** The tables of {@code Cluster}. */
  Rows cluster() {
    return cluster;
  }

  /** The copy of the cluster that the claims are decided with. */
  Rows volumesView() {
    return volumesView;
  }

  /** The copy of the cluster that the lanes are decided with. */
  Rows lanesView() {
    return lanesView;
  }

  Rows lanes() {
    return lanes;
  }

  /** The rows of a volume. */
  Rows claims(String volume) {
    return claims.get(setup.indexOf(volume));
  }

  /** The rows of every volume, in the order of the setup. */
  List<Rows> claims() {
    return claims;
  }

  // ---- deciding

  void decide(ClaimsEvent event) {
    int at = setup.indexOf(event.key().volume());
    Rows before = claims.get(at);
    Deciders.Decided<ClaimsEffect> decided =
        deciders.claims(before, volumesView, event, now, policies);
    claims.set(at, decided.after());
    for (ClaimsEffect effect : decided.effects()) {
      if (effect instanceof ClaimsEffect.Requested requested) {
        ways.requests.add(requested.request());
      } else if (effect instanceof ClaimsEffect.Replied reply) {
        replies.accept(reply);
      }
    }
    watch.decided(before, event);
  }

  void decide(LanesEvent event) {
    Deciders.Decided<LanesEffect> decided = deciders.lanes(lanes, lanesView, event, now, policies);
    lanes = decided.after();
    for (LanesEffect effect : decided.effects()) {
      if (effect instanceof LanesEffect.Dispatch dispatch) {
        ways.work.add(dispatch.work());
      } else if (effect instanceof LanesEffect.Settle settle) {
        ways.settlements.add(settle.settlement());
      }
    }
  }

  void decide(ClusterEvent event) {
    Deciders.Decided<ClusterEffect> decided = deciders.cluster(cluster, event, now, policies);
    cluster = decided.after();
    for (ClusterEffect effect : decided.effects()) {
      if (effect instanceof ClusterEffect.Broadcast broadcast) {
        ways.volumeSignals.add(broadcast.signal());
        ways.laneSignals.add(broadcast.signal());
      } else if (effect instanceof ClusterEffect.Rejected rejected) {
        throw new IllegalStateException("the cluster rejects " + event + ": " + rejected.reason());
      }
    }
  }

  // ---- deliveries

  void deliver(LaneRequest request) {
    decide(new LanesEvent.Requested(request));
  }

  void deliver(Settlement settlement) {
    decide(new ClaimsEvent.Settled(VolumeKey.parse(settlement.volumeKey()), settlement));
  }

  void deliverToVolumes(ClusterSignal signal) {
    volumesView = copied(volumesView, signal);
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      lookAtNode(changed.node().node());
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      lookAtNode(changed.instance().node());
    } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
      lookAtNode(removed.node());
    } else if (signal instanceof ClusterSignal.PoliciesChanged) {
      sweep("policies", false);
    } else if (signal instanceof ClusterSignal.GarbageCollection gc) {
      sweep(ClaimsEvent.Look.COLLECTION, gc.ignoreThresholds());
    }
  }

  void deliverToLanes(ClusterSignal signal) {
    LanesEvent event = event(signal);
    lanesView = copied(lanesView, signal);
    if (event != null) {
      decide(event);
    }
  }

  private static Rows copied(Rows view, ClusterSignal signal) {
    Draft<Object> draft = new Draft<>(view);
    ClusterCopy.apply(signal, draft);
    return view.with(draft.decision().changes());
  }

  private @Nullable LanesEvent event(ClusterSignal signal) {
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      return new LanesEvent.NodeChanged(changed.node().node());
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      InstanceView before = lanesView.get(ClusterTables.INSTANCES, changed.instance().key());
      return LanesEvent.InstanceChanged.of(before, changed.instance());
    } else if (signal instanceof ClusterSignal.InstanceRemoved removed) {
      return LanesEvent.InstanceChanged.removed(removed.plugin(), removed.node(), removed.role());
    } else if (signal instanceof ClusterSignal.PluginChanged changed) {
      return new LanesEvent.PluginChanged(changed.plugin().plugin());
    } else if (signal instanceof ClusterSignal.PluginRemoved removed) {
      return new LanesEvent.PluginChanged(removed.plugin());
    } else if (signal instanceof ClusterSignal.PoliciesChanged) {
      return new LanesEvent.PoliciesChanged();
    } else if (signal instanceof ClusterSignal.GarbageCollection) {
      return new LanesEvent.GcRequested();
    }
    return null;
  }

  private void lookAtNode(String node) {
    for (int i = 0; i < claims.size(); i++) {
      if (!claims.get(i).scan(ClaimTables.BY_NODE, node + "/").isEmpty()) {
        look(i, "node-changed", false);
      }
    }
  }

  private void sweep(String why, boolean ignoreThresholds) {
    for (int i = 0; i < claims.size(); i++) {
      if (!claims.get(i).scan(ClaimTables.VOLUMES, "").isEmpty()) {
        look(i, why, ignoreThresholds);
      }
    }
  }

  private void look(int volume, String why, boolean ignoreThresholds) {
    VolumeKey key = Setup.key(setup.volumes().get(volume).volume());
    decide(new ClaimsEvent.Look(key, why, ignoreThresholds));
  }

  // ---- time and restarts

  /** Does what is due by now. */
  void due() {
    for (int i = 0; i < claims.size(); i++) {
      for (Wake wake : claims.get(i).values(ClaimTables.WAKES)) {
        if (!wake.at().isAfter(now)) {
          look(i, "due", false);
        }
      }
    }
    State.Entry<DueItem> next = lanes.first(LaneTables.DUE, "");
    if (next != null && LaneTables.isDue(next.key(), now)) {
      decide(new LanesEvent.Due());
    }
  }

  /** When something is due next that no record announces; null when nothing is. */
  @Nullable Instant nextDue() {
    Instant next = null;
    for (Rows rows : claims) {
      for (Wake wake : rows.values(ClaimTables.WAKES)) {
        next = next == null || wake.at().isBefore(next) ? wake.at() : next;
      }
    }
    State.Entry<DueItem> lane = lanes.first(LaneTables.DUE, "");
    if (lane != null) {
      Instant at =
          Instant.ofEpochMilli(Long.parseLong(lane.key().substring(0, lane.key().indexOf('/'))));
      next = next == null || at.isBefore(next) ? at : next;
    }
    return next;
  }

  /** Every task starts again, or has another owner. */
  void restart() {
    decide(new LanesEvent.OwnerChanged());
    sweep("start-up", false);
    decide(new ClusterEvent.Tick());
  }
}
