package dev.berth.bench.policies;

import dev.berth.ops.explore.SeenWith;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsDecider;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.Wake;
import dev.berth.streams.cluster.ClusterCopy;
import dev.berth.streams.cluster.ClusterDecider;
import dev.berth.streams.cluster.ClusterEffect;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.ClusterSignal;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.lanes.DueItem;
import dev.berth.streams.lanes.LaneTables;
import dev.berth.streams.lanes.LanesDecider;
import dev.berth.streams.lanes.LanesEffect;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Berth's three deciders and the records between them, in virtual time. Every record takes the same
 * time through its topic, so that records of one key keep their order. Timers fire at whole
 * seconds, as the processors' do.
 */
final class BerthStreams {
  /**
   * From the decision that writes a record to the one that reads it: three of them lie between an
   * event and the call it leads to, for which 42 to 55 ms were measured.
   */
  static final long HOP = 20;

  private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
  private static final long TICK = 1_000;

  private final VirtualTime time;
  private final Policies policies;
  private final Consumer<ClaimsEffect.Replied> replies;
  private final Consumer<Work> work;

  private final MapState cluster = new MapState();
  private final MapState copy = new MapState();
  private final MapState lanes = new MapState();
  private final Map<String, Volume> volumes = new LinkedHashMap<>();
  private long laneTimer = Long.MAX_VALUE;

  /** Rows of one volume and when its timer fires. */
  private static final class Volume {
    private final MapState rows = new MapState();
    private long timer = Long.MAX_VALUE;
  }

  BerthStreams(
      VirtualTime time, String lanes, Consumer<ClaimsEffect.Replied> replies, Consumer<Work> work) {
    this.time = time;
    this.replies = replies;
    this.work = work;
    policies = new Policies(1, Map.of("default", Map.of("lane", lanes, "node-step", "client")));
  }

  Instant now() {
    return BEGIN.plusMillis(time.now());
  }

  // ---- what is told

  void say(ClaimsEvent event) {
    time.in(HOP, () -> decide(event));
  }

  void report(LanesEvent event) {
    time.in(HOP, () -> decide(event));
  }

  void node(String node, NodeStatus status) {
    tell(
        new ClusterEvent.NodeReported(
            new NodeReport(node, BerthSetup.SCHEDULER, status, true, now())));
  }

  void command(Command command) {
    tell(new ClusterEvent.CommandArrived(command));
  }

  void tell(ClusterEvent event) {
    time.in(HOP, () -> decide(event));
  }

  // ---- deciding

  private void decide(ClaimsEvent event) {
    Volume volume = volumes.computeIfAbsent(event.key().toString(), unused -> new Volume());
    Decision<ClaimsEffect> decision =
        ClaimsDecider.decide(new SeenWith(volume.rows, copy), event, now(), policies);
    volume.rows.applyAll(decision.changes());
    for (ClaimsEffect effect : decision.effects()) {
      if (effect instanceof ClaimsEffect.Requested requested) {
        time.in(HOP, () -> decide(new LanesEvent.Requested(requested.request())));
      } else if (effect instanceof ClaimsEffect.Replied reply) {
        time.in(HOP, () -> replies.accept(reply));
      }
    }
    wake(event.key(), volume);
  }

  private void decide(LanesEvent event) {
    Decision<LanesEffect> decision =
        LanesDecider.decide(new SeenWith(lanes, copy), event, now(), policies);
    lanes.applyAll(decision.changes());
    for (LanesEffect effect : decision.effects()) {
      if (effect instanceof LanesEffect.Dispatch dispatch) {
        time.in(HOP, () -> work.accept(dispatch.work()));
      } else if (effect instanceof LanesEffect.Settle settle) {
        Settlement settlement = settle.settlement();
        say(new ClaimsEvent.Settled(VolumeKey.parse(settlement.volumeKey()), settlement));
      }
    }
    wakeLanes();
  }

  private void decide(ClusterEvent event) {
    Decision<ClusterEffect> decision = ClusterDecider.decide(cluster, event, now(), policies);
    cluster.applyAll(decision.changes());
    for (ClusterEffect effect : decision.effects()) {
      if (effect instanceof ClusterEffect.Broadcast broadcast) {
        time.in(HOP, () -> heard(broadcast.signal()));
      } else if (effect instanceof ClusterEffect.Rejected rejected) {
        throw new IllegalStateException("the cluster rejects " + event + ": " + rejected.reason());
      }
    }
  }

  // ---- news of the cluster

  private void heard(ClusterSignal signal) {
    LanesEvent event = event(signal);
    Draft<Object> draft = new Draft<>(copy);
    ClusterCopy.apply(signal, draft);
    copy.applyAll(draft.decision().changes());
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      lookAt(changed.node().node());
    }
    if (event != null) {
      decide(event);
    }
  }

  private @Nullable LanesEvent event(ClusterSignal signal) {
    if (signal instanceof ClusterSignal.NodeChanged changed) {
      return new LanesEvent.NodeChanged(changed.node().node());
    } else if (signal instanceof ClusterSignal.InstanceChanged changed) {
      InstanceView before = copy.get(ClusterTables.INSTANCES, changed.instance().key());
      return LanesEvent.InstanceChanged.of(before, changed.instance());
    } else if (signal instanceof ClusterSignal.PluginChanged changed) {
      return new LanesEvent.PluginChanged(changed.plugin().plugin());
    }
    return null;
  }

  private void lookAt(String node) {
    volumes.forEach(
        (key, volume) -> {
          if (volume.rows.first(ClaimTables.BY_NODE, node + "/") != null) {
            decide(new ClaimsEvent.Look(VolumeKey.parse(key), "node-changed", false));
          }
        });
  }

  // ---- timers

  private void wake(VolumeKey key, Volume volume) {
    Wake wake = volume.rows.get(ClaimTables.WAKES, key.toString());
    if (wake == null) {
      return;
    }
    long at = tickAt(wake.at());
    if (at < volume.timer) {
      volume.timer = at;
      time.at(
          at,
          () -> {
            volume.timer = Long.MAX_VALUE;
            Wake due = volume.rows.get(ClaimTables.WAKES, key.toString());
            if (due != null && !due.at().isAfter(now())) {
              decide(new ClaimsEvent.Look(key, "due", false));
            } else {
              wake(key, volume);
            }
          });
    }
  }

  private void wakeLanes() {
    State.Entry<DueItem> first = lanes.first(LaneTables.DUE, "");
    if (first == null) {
      return;
    }
    long at =
        tickAt(
            Instant.ofEpochMilli(
                Long.parseLong(first.key().substring(0, first.key().indexOf('/')))));
    if (at < laneTimer) {
      laneTimer = at;
      time.at(
          at,
          () -> {
            laneTimer = Long.MAX_VALUE;
            decide(new LanesEvent.Due());
          });
    }
  }

  /**
   * The tick at or behind a time, and behind the present one: what cannot go on is not due at once.
   */
  private long tickAt(Instant due) {
    long millis = Math.max(due.toEpochMilli() - BEGIN.toEpochMilli(), time.now() + 1);
    return (millis + TICK - 1) / TICK * TICK;
  }
}
