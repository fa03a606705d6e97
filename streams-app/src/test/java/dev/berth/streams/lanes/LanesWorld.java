package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentMode;
import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.command.Answer;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.policy.Policies;
import dev.berth.streams.work.Call;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lanes with a clock and a worker that do what a test says. Three ready nodes n1, n2, n3;
 * plugin ebs with controllers on n1 and n2 and node instances everywhere (provider's ids i-1, i-2,
 * i-3). No jitter, no margin and one call per record, as in scenarios. Every decision is checked:
 * made twice it is the same, and the rows and indexes it leaves agree.
 */
final class LanesWorld {
  static final String EBS = "ebs";
  static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final MapState state = new MapState();
  private final List<Change> log = new ArrayList<>();
  private final List<LanesEffect> effects = new ArrayList<>();
  private final Map<String, Map<String, String>> settings = new HashMap<>();
  private Policies policies;
  private Instant now = START;
  private int acceptances;
  private int requests;

  LanesWorld() {
    Map<String, String> defaults = new HashMap<>();
    defaults.put("backoff.jitter", "0");
    defaults.put("settle-margin", "0s");
    defaults.put("run", "1");
    settings.put("default", defaults);
    policies = new Policies(1, settings);
    for (int i = 1; i <= 3; i++) {
      node("n" + i, NodeStatus.READY);
      nodeInstance(EBS, "n" + i, "i-" + i, null);
    }
    controller(EBS, "n1", true);
    controller(EBS, "n2", true);
    effects.clear();
  }

  // ---- the cluster

  LanesWorld policy(String key, String value) {
    return policy("default", key, value);
  }

  LanesWorld policy(String name, String key, String value) {
    settings.computeIfAbsent(name, n -> new HashMap<>()).put(key, value);
    policies = new Policies(policies.version() + 1, settings);
    decide(new LanesEvent.PoliciesChanged());
    return this;
  }

  void node(String node, NodeStatus status) {
    NodeView before = ClusterTables.node(state, node);
    long incarnation = before == null ? 1 : before.incarnation();
    boolean back =
        status == NodeStatus.READY
            && before != null
            && (before.status() == NodeStatus.DOWN || before.status() == NodeStatus.GONE);
    view(
        new Change.Put<>(
            ClusterTables.NODES,
            node,
            new NodeView(
                node, "sched", status, true, back ? incarnation + 1 : incarnation, null, null)));
    decide(new LanesEvent.NodeChanged(node));
  }

  void ineligible(String node) {
    NodeView view = new NodeView(node, "sched", NodeStatus.READY, false, 1, null, null);
    view(new Change.Put<>(ClusterTables.NODES, node, view));
    decide(new LanesEvent.NodeChanged(node));
  }

  void controller(String plugin, String node, boolean healthy) {
    controller(plugin, node, healthy, true);
  }

  void controller(String plugin, String node, boolean healthy, boolean attach) {
    instance(
        new InstanceView(
            plugin,
            node,
            PluginRole.CONTROLLER,
            healthy,
            "",
            "pool",
            "unix:///" + plugin + "-" + node,
            attach,
            true,
            false,
            false,
            null,
            null));
  }

  void nodeInstance(String plugin, String node, @Nullable String external, @Nullable Long max) {
    nodeInstance(plugin, node, external, max, true);
  }

  void nodeInstance(
      String plugin, String node, @Nullable String external, @Nullable Long max, boolean healthy) {
    instance(
        new InstanceView(
            plugin,
            node,
            PluginRole.NODE,
            healthy,
            "",
            "node-" + node,
            "",
            false,
            false,
            false,
            true,
            external,
            max));
  }

  void instance(InstanceView instance) {
    InstanceView before = state.get(ClusterTables.INSTANCES, instance.key());
    if (ClusterTables.plugin(state, instance.plugin()) == null) {
      view(
          new Change.Put<>(
              ClusterTables.PLUGINS,
              instance.plugin(),
              new PluginView(instance.plugin(), true, null)));
    }
    view(new Change.Put<>(ClusterTables.INSTANCES, instance.key(), instance));
    decide(LanesEvent.InstanceChanged.of(before, instance));
  }

  void instanceRemoved(String plugin, String node, PluginRole role) {
    view(new Change.Remove(ClusterTables.INSTANCES, InstanceView.prefix(plugin, role) + node));
    decide(LanesEvent.InstanceChanged.removed(plugin, node, role));
  }

  void pluginRemoved(String plugin) {
    view(new Change.Remove(ClusterTables.PLUGINS, plugin));
    decide(new LanesEvent.PluginChanged(plugin));
  }

  // ---- requests

  static Call call(CsiCall rpc, String volume, String node, @Nullable String externalNode) {
    return new Call(
        rpc,
        "default",
        volume,
        null,
        node,
        "ext-" + volume,
        externalNode,
        AccessMode.SINGLE_NODE_WRITER,
        AttachmentMode.FILE_SYSTEM,
        false,
        null,
        List.of(),
        Map.of(),
        Map.of(),
        Map.of("token", "${kv:" + volume + "}"));
  }

  static Call call(CsiCall rpc, String volume, String node) {
    boolean controller = rpc == CsiCall.CONTROLLER_PUBLISH || rpc == CsiCall.CONTROLLER_UNPUBLISH;
    return call(rpc, volume, node, controller ? "i-" + node.substring(1) : null);
  }

  /** The call with another volume context. */
  static Call carrying(Call call, Map<String, String> context) {
    return new Call(
        call.rpc(),
        call.namespace(),
        call.volume(),
        call.alloc(),
        call.node(),
        call.externalVolume(),
        call.externalNode(),
        call.access(),
        call.attachment(),
        call.readOnly(),
        call.fsType(),
        call.mountFlags(),
        context,
        call.publishContext(),
        call.secrets());
  }

  /** Asks for an attach that takes a slot; returns its request id. */
  String attach(String volume, String node) {
    return enqueue(EBS, call(CsiCall.CONTROLLER_PUBLISH, volume, node), true);
  }

  String detach(String volume, String node) {
    return enqueue(EBS, call(CsiCall.CONTROLLER_UNPUBLISH, volume, node), false);
  }

  String onNode(CsiCall rpc, String volume, String node) {
    return enqueue(EBS, call(rpc, volume, node), false);
  }

  String enqueue(String plugin, Call call, boolean takesSlot) {
    return enqueue(plugin, new LaneRequest.Enqueue(call, takesSlot));
  }

  /** Asks for a call on the terms of a scheduler's claim. */
  String ofScheduler(String scheduler, CsiCall rpc, String volume, String node) {
    return enqueue(
        EBS, new LaneRequest.Enqueue(call(rpc, volume, node), false, false, null, scheduler));
  }

  private String enqueue(String plugin, LaneRequest.Enqueue enqueue) {
    String id = "default/" + enqueue.call().volume() + "#" + ++requests;
    request(id, plugin, enqueue);
    return id;
  }

  void request(String id, String plugin, LaneRequest.Body body) {
    String volumeKey = id.substring(0, id.indexOf('#'));
    decide(new LanesEvent.Requested(new LaneRequest(id, plugin, volumeKey, now, body)));
  }

  void withdraw(String id) {
    request(id, EBS, new LaneRequest.Withdraw());
  }

  void wake(String id, boolean newBudget) {
    request(id, EBS, new LaneRequest.Wake(newBudget));
  }

  void command(Command.Body body) {
    decide(new LanesEvent.Commanded(new Command("c1", "op", "maintenance", now, body)));
  }

  // ---- the worker

  /** Accepts the open attempt of a request; returns the acceptance id. */
  String accept(String request) {
    return accept(attempt(request).work(), Duration.ofMinutes(2));
  }

  String accept(Work work, Duration timeAllowed) {
    String acceptance = "acc-" + ++acceptances;
    decide(
        new LanesEvent.Accepted(
            work.attemptId(), acceptance, work.plugin(), "worker", timeAllowed));
    return acceptance;
  }

  /** Accepts and answers the open call of a request. */
  void answer(String request, RpcCode code) {
    String acceptance = accept(request);
    outcome(request, acceptance, end(CallFate.ANSWERED, NotSentReason.NONE, code));
  }

  void ok(String request) {
    answer(request, RpcCode.OK);
  }

  /** Accepts, and reports a call that did not come to an answer. */
  void unanswered(String request, CallFate fate, NotSentReason reason, RpcCode code) {
    String acceptance = accept(request);
    outcome(request, acceptance, end(fate, reason, code));
  }

  void outcome(String request, String acceptance, CallEnd end) {
    Attempt attempt = attempt(request);
    outcome(attempt.work(), attempt.place(request), acceptance, end);
  }

  void outcome(Work work, String acceptance, CallEnd end) {
    outcome(work, 0, acceptance, end);
  }

  /** Reports a call of a run. */
  void outcome(Work work, int index, String acceptance, CallEnd end) {
    decide(
        new LanesEvent.OutcomeArrived(
            work.attemptId(),
            acceptance,
            work.plugin(),
            work.calls().get(index).requestId(),
            index,
            end));
  }

  CallEnd end(CallFate fate, NotSentReason reason, RpcCode code) {
    String message = code == RpcCode.OK ? "" : "it says " + code;
    return new CallEnd(fate, reason, code, message, Map.of(), now, now);
  }

  // ---- time

  /** Moves the clock, firing what falls due at its time. */
  void advance(Duration by) {
    Instant until = now.plus(by);
    State.Entry<DueItem> next = state.first(LaneTables.DUE, "");
    while (next != null && LaneTables.isDue(next.key(), until)) {
      Instant at = Instant.ofEpochMilli(Long.parseLong(next.key().substring(0, 16)));
      now = at.isAfter(now) ? at : now;
      decide(new LanesEvent.Due());
      next = state.first(LaneTables.DUE, "");
    }
    now = until;
    decide(new LanesEvent.Due());
  }

  void ownerChanged() {
    decide(new LanesEvent.OwnerChanged());
  }

  /** Somebody sets the clock, by so much; the processor notices before it looks what is due. */
  void clockSet(Duration by) {
    now = now.plus(by);
    decide(new LanesEvent.ClockSet());
  }

  Instant now() {
    return now;
  }

  // ---- what came of it

  State state() {
    return state;
  }

  LaneCall row(String request) {
    return Objects.requireNonNull(
        state.get(LaneTables.REQUESTS, request), () -> "no request " + request);
  }

  boolean settled(String request) {
    return state.get(LaneTables.REQUESTS, request) == null;
  }

  Attempt attempt(String request) {
    if (row(request).place() instanceof Place.Open open) {
      return Objects.requireNonNull(state.get(LaneTables.ATTEMPTS, open.attemptId()));
    }
    throw new AssertionError(request + " is not open: " + row(request).place());
  }

  /** Calls dispatched since the last look, as {@code CP ext-v1 i-1 @n1}. */
  List<String> calls() {
    return take(LanesEffect.Dispatch.class).stream()
        .map(LanesEffect.Dispatch::work)
        .map(LanesWorld::text)
        .toList();
  }

  /** Settlements since the last look, of one request. */
  List<Settlement.Body> settlements(String request) {
    List<Settlement.Body> found = new ArrayList<>();
    effects.removeIf(
        effect -> {
          boolean matches =
              effect instanceof LanesEffect.Settle settle
                  && settle.settlement().requestId().equals(request)
                  && found.add(settle.settlement().body());
          return matches;
        });
    return found;
  }

  /** The one settlement of a request since the last look. */
  Settlement.Body settlement(String request) {
    List<Settlement.Body> found = settlements(request);
    assertThat(found).as("settlements of %s", request).hasSize(1);
    return found.get(0);
  }

  Settlement.Held held(String request) {
    return (Settlement.Held) settlement(request);
  }

  List<LanesEffect.Dropped.Cause> dropped() {
    return take(LanesEffect.Dropped.class).stream().map(LanesEffect.Dropped::cause).toList();
  }

  List<NodeSlots> slots() {
    return take(LanesEffect.SlotsChanged.class).stream()
        .map(LanesEffect.SlotsChanged::slots)
        .toList();
  }

  List<Answer> answers() {
    return take(LanesEffect.Answered.class).stream().map(LanesEffect.Answered::answer).toList();
  }

  LaneStatus status() {
    return LaneStatus.of(state, EBS, now);
  }

  /** Every effect since the last look. */
  List<LanesEffect> effects() {
    List<LanesEffect> all = List.copyOf(effects);
    effects.clear();
    return all;
  }

  /** Every change so far, that of the cluster's view too. */
  List<Change> log() {
    return log;
  }

  Policies policies() {
    return policies;
  }

  void decide(LanesEvent event) {
    Decision<LanesEffect> decision = LanesDecider.decide(state, event, now, policies);
    assertThat(LanesDecider.decide(state, event, now, policies)).isEqualTo(decision);
    state.applyAll(decision.changes());
    log.addAll(decision.changes());
    effects.addAll(decision.effects());
    LanesInvariants.check(state);
  }

  private void view(Change change) {
    state.apply(change);
    log.add(change);
  }

  private <E extends LanesEffect> List<E> take(Class<E> type) {
    List<E> found = effects.stream().filter(type::isInstance).map(type::cast).toList();
    effects.removeIf(type::isInstance);
    return found;
  }

  /** A record, its calls in their order, with a comma between them. */
  private static String text(Work work) {
    return work.calls().stream()
        .map(call -> text(work, call.call()))
        .collect(Collectors.joining(", "));
  }

  private static String text(Work work, Call call) {
    String rpc =
        switch (call.rpc()) {
          case CONTROLLER_PUBLISH -> "CP";
          case CONTROLLER_UNPUBLISH -> "CU";
          case NODE_STAGE -> "NS";
          case NODE_PUBLISH -> "NP";
          case NODE_UNPUBLISH -> "NU";
          case NODE_UNSTAGE -> "NT";
        };
    String node = call.externalNode() == null ? "" : " " + call.externalNode();
    return rpc + " " + call.externalVolume() + node + " @" + work.instanceNode();
  }
}
