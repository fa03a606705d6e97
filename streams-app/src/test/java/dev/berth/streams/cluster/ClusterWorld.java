package dev.berth.streams.cluster;

import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.Draft;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.policy.NamedPolicy;
import dev.berth.streams.policy.Policies;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code Cluster} in memory with a clock of its own, and a copy that knows the signals only. */
final class ClusterWorld {
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final MapState state = new MapState();
  private final MapState copy = new MapState();
  private Policies configured = Policies.DEFAULTS;
  private Instant now = START;

  /** Decides an event and folds the decision. */
  List<ClusterEffect> send(ClusterEvent event) {
    Decision<ClusterEffect> decision = ClusterDecider.decide(state, event, now, configured);
    state.applyAll(decision.changes());
    for (ClusterEffect effect : decision.effects()) {
      if (effect instanceof ClusterEffect.Broadcast broadcast) {
        Draft<Object> draft = new Draft<>(copy);
        ClusterCopy.apply(broadcast.signal(), draft);
        copy.applyAll(draft.decision().changes());
      }
    }
    return decision.effects();
  }

  /** Moves the clock without a tick. */
  ClusterWorld after(Duration time) {
    now = now.plus(time);
    return this;
  }

  /** Lets a time pass in ticks of 5 s and returns what they led to. */
  List<ClusterEffect> pass(Duration time) {
    Instant end = now.plus(time);
    List<ClusterEffect> effects = new ArrayList<>();
    while (now.isBefore(end)) {
      now = now.plusSeconds(5);
      effects.addAll(send(new ClusterEvent.Tick()));
    }
    return effects;
  }

  ClusterWorld configured(Policies policies) {
    configured = policies;
    return this;
  }

  List<ClusterEffect> node(String node, NodeStatus status) {
    return send(new ClusterEvent.NodeReported(report(node, "nomad", status)));
  }

  List<ClusterEffect> command(Command.Body body) {
    return send(new ClusterEvent.CommandArrived(command("c1", body)));
  }

  List<ClusterEffect> policy(String name, Map<String, String> settings) {
    return send(
        new ClusterEvent.PolicyReported(
            new NamedPolicy(name, settings, "ops", "because", Instant.EPOCH)));
  }

  Instant now() {
    return now;
  }

  MapState state() {
    return state;
  }

  MapState copy() {
    return copy;
  }

  @Nullable NodeView nodeView(String node) {
    return ClusterTables.node(state, node);
  }

  @Nullable InstanceView instance(InstanceReport report) {
    return state.get(ClusterTables.INSTANCES, report.key());
  }

  static Command command(String id, Command.Body body) {
    return new Command(id, "ops", "because", Instant.EPOCH, body);
  }

  static NodeReport report(String node, String scheduler, NodeStatus status) {
    return new NodeReport(node, scheduler, status, true, Instant.EPOCH);
  }

  static NodeView view(String node, NodeStatus status, long incarnation, @Nullable Instant lost) {
    return new NodeView(node, "nomad", status, true, incarnation, lost, null);
  }

  static List<ClusterEffect> nothing() {
    return List.of();
  }

  static List<ClusterEffect> broadcast(ClusterSignal... signals) {
    return Arrays.stream(signals)
        .map(signal -> (ClusterEffect) new ClusterEffect.Broadcast(signal))
        .toList();
  }

  /** A healthy controller of ebs that no worker reports again, as scenarios have them. */
  static InstanceReport controller(String node) {
    return instance("ebs", node, PluginRole.CONTROLLER, PluginHealth.HEALTHY, "");
  }

  /** The same, reported by a worker. */
  static InstanceReport controller(String node, String worker) {
    return instance("ebs", node, PluginRole.CONTROLLER, PluginHealth.HEALTHY, worker);
  }

  static InstanceReport nodeService(String node, String worker) {
    return instance("ebs", node, PluginRole.NODE, PluginHealth.HEALTHY, worker);
  }

  static InstanceReport removed(InstanceReport report, String worker) {
    return instance(report.plugin(), report.node(), report.role(), PluginHealth.REMOVED, worker);
  }

  static InstanceReport instance(
      String plugin, String node, PluginRole role, PluginHealth health, String worker) {
    boolean controller = role == PluginRole.CONTROLLER;
    return new InstanceReport(
        plugin,
        node,
        role,
        health,
        "",
        "1.0",
        "pool",
        "unix:///csi/" + plugin,
        worker,
        controller,
        controller,
        false,
        !controller,
        controller ? null : "i-" + node,
        controller ? null : 25L,
        Map.of("zone", "a"),
        Instant.EPOCH);
  }
}
