package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.records.PluginHealth;
import dev.berth.records.PluginRole;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.InstanceReport;
import dev.berth.streams.cluster.NodeReport;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.lanes.LanesEvent;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulated world: scheduler, operators, workers and provider around the three deciders, and what
 * must hold of all of them together. Steps come from outside; a step that makes no sense now does
 * nothing.
 *
 * <p>In a prompt world every record is handed over before the next step, as in scenario files. In
 * another one records wait until a step delivers them, in whatever order their topics allow.
 */
final class Sim {
  /** A multiple of every collection interval in use. */
  static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");

  /** How long after losing contact an alloc that promised it has stopped itself. */
  static final Duration PROMISE = Duration.ofMinutes(15);

  static final String SCHEDULER = "scenario";

  private final Setup setup;
  private final boolean prompt;
  private final Streams streams;
  private final Workers workers;
  private final Provider provider;
  private final Clients clients;
  private final Rules rules;
  private final List<String> broken = new ArrayList<>();
  private Consumer<Step> listener = step -> {};

  private Sim(Setup setup, Deciders deciders, boolean prompt) {
    this.setup = setup;
    this.prompt = prompt;
    provider = new Provider(setup, broken::add);
    workers = new Workers(broken::add);
    clients = new Clients(this);
    streams = new Streams(setup, deciders, BEGIN, clients::replied, this::decided);
    rules = new Rules(this, deciders);
  }

  /** A world in which every node and plugin is well and every volume is registered. */
  static Sim begin(Setup setup, Deciders deciders, boolean prompt) {
    Sim sim = new Sim(setup, deciders, prompt);
    Stream.concat(setup.controllers().stream(), setup.nodes().stream())
        .forEach(node -> sim.report(node, NodeStatus.READY));
    for (String plugin : setup.plugins()) {
      setup.controllers().forEach(node -> sim.controller(plugin, node, true));
      setup.nodes().forEach(node -> sim.nodePlugin(plugin, node));
    }
    setup.volumes().forEach(volume -> sim.operator(new Command.RegisterVolume(volume)));
    sim.deliverAll();
    return sim;
  }

  /** A world to be {@linkplain #restore restored} from scenes. */
  static Sim blank(Setup setup, Deciders deciders) {
    return new Sim(setup, deciders, true);
  }

  void restore(Scene scene) {
    broken.clear();
    streams.restore(scene);
    workers.restore(scene);
    provider.restore(scene);
    clients.restore(scene);
  }

  Scene scene() {
    Streams.Ways ways = streams.ways();
    return new Scene(
        streams.now(),
        streams.cluster(),
        streams.volumesView(),
        streams.lanesView(),
        streams.claims(),
        streams.lanes(),
        ways.requests,
        ways.settlements,
        ways.volumeSignals,
        ways.laneSignals,
        ways.work,
        workers.reports(),
        workers.late(),
        workers.calls(),
        provider.attached(),
        provider.mounts(),
        provider.staged(),
        clients.allocs(),
        setup.nodes().stream().map(provider::life).toList());
  }

  Setup setup() {
    return setup;
  }

  boolean prompt() {
    return prompt;
  }

  Streams streams() {
    return streams;
  }

  Workers workers() {
    return workers;
  }

  Provider provider() {
    return provider;
  }

  Clients clients() {
    return clients;
  }

  /** What was found broken since the world began or was restored; empty when all is well. */
  List<String> broken() {
    return broken;
  }

  /** Has somebody told every step that made sense, once it is carried out. */
  void listen(Consumer<Step> to) {
    listener = to;
  }

  void breaks(String what) {
    broken.add(what);
  }

  /**
   * Carries out a step and looks at what must hold.
   *
   * @return whether the step made sense
   */
  boolean apply(Step step) {
    boolean done = carryOut(step);
    if (done) {
      settle();
      provider.forgetWhatIsOver(this::node, streams.now());
      rules.check();
      listener.accept(step);
    }
    return done;
  }

  private void settle() {
    if (prompt) {
      deliverAll();
    }
  }

  private boolean carryOut(Step step) {
    if (step instanceof Step.Claim claim) {
      return clients.claim(claim);
    } else if (step instanceof Step.Status status) {
      return clients.status(status.alloc(), status.status());
    } else if (step instanceof Step.Gone gone) {
      return clients.gone(gone.alloc());
    } else if (step instanceof Step.Unmounted unmounted) {
      return clients.unmounted(unmounted.alloc(), unmounted.volume());
    } else if (step instanceof Step.UnmountFailed failed) {
      return clients.unmountFailed(failed.alloc(), failed.volume());
    } else if (step instanceof Step.Repeated repeated) {
      return clients.repeat(repeated.back());
    } else if (step instanceof Step.Node node) {
      return node(node.node(), node.status());
    } else if (step instanceof Step.Controller controller) {
      controller(controller.plugin(), controller.node(), controller.healthy());
    } else if (step instanceof Step.Operator operator) {
      return operator(operator.body());
    } else if (step instanceof Step.Answer answer) {
      return answer(answer.rpc(), answer.ending());
    } else if (step instanceof Step.LateReport) {
      return lateReport();
    } else if (step instanceof Step.Time time) {
      pass(time.passes());
    } else if (step instanceof Step.RestartStreams) {
      streams.restart();
    } else if (step instanceof Step.Delivery delivery) {
      return deliver(delivery.way(), delivery.which());
    }
    return true;
  }

  // ---- the cluster

  /** What {@code Cluster} knows of a node, which is what is so; null when it knows nothing. */
  @Nullable NodeView node(String node) {
    return streams.cluster().get(ClusterTables.NODES, node);
  }

  private boolean node(String node, NodeStatus status) {
    NodeView before = node(node);
    if (before == null || before.status() == status) {
      return false;
    }
    if (status == NodeStatus.READY) {
      // A node that comes back within the moments that news takes is a known race
      // (claims/DESIGN.md, "Races").
      tellOfTheCluster();
      boolean more = true;
      while (more) {
        more = deliver(streams.ways().requests, 0, streams::deliver);
      }
    }
    boolean anew = before.status() == NodeStatus.GONE;
    int life = provider.life(node);
    if (anew) {
      if (status != NodeStatus.READY) {
        return false;
      }
      life = nextLife(node);
      provider.anew(node, life);
    }
    boolean cutOff = status == NodeStatus.DOWN || status == NodeStatus.GONE;
    if (cutOff) {
      killNodeCalls(node);
    }
    report(node, status);
    if (status == NodeStatus.GONE) {
      setup.plugins().forEach(plugin -> nodePluginGone(plugin, node));
    } else if (anew) {
      setup.plugins().forEach(plugin -> nodePlugin(plugin, node));
    }
    return true;
  }

  /** Node calls end with their node, and nobody hears of them. */
  private void killNodeCalls(String node) {
    workers
        .calls()
        .removeIf(call -> !call.work().toController() && call.call().node().equals(node));
  }

  /** The lowest number of a machine that nobody remembers. */
  private int nextLife(String node) {
    int life = 0;
    while (life == provider.life(node) || remembered(node, life)) {
      life++;
    }
    return life;
  }

  private boolean remembered(String node, int life) {
    List<String> machines =
        setup.plugins().stream().map(plugin -> Setup.machine(plugin, node, life)).toList();
    return provider.attached().stream().anyMatch(one -> machines.contains(one.machine()))
        || workers.calls().stream()
            .anyMatch(call -> machines.contains(String.valueOf(call.call().externalNode())))
        || streams.claims().stream().anyMatch(rows -> remembers(rows, machines));
  }

  private static boolean remembers(Rows rows, List<String> machines) {
    return rows.values(ClaimTables.ATTACHMENTS).stream()
            .anyMatch(use -> machines.contains(String.valueOf(use.externalNode())))
        || rows.values(ClaimTables.CLAIMS).stream()
            .map(Claim::terms)
            .anyMatch(
                terms -> terms != null && machines.contains(String.valueOf(terms.externalNode())));
  }

  private void report(String node, NodeStatus status) {
    streams.decide(
        new ClusterEvent.NodeReported(
            new NodeReport(node, SCHEDULER, status, true, streams.now())));
    settle();
  }

  private void controller(String plugin, String node, boolean healthy) {
    PluginHealth health = healthy ? PluginHealth.HEALTHY : PluginHealth.UNHEALTHY;
    instance(plugin, node, PluginRole.CONTROLLER, health, null);
  }

  private void nodePlugin(String plugin, String node) {
    instance(plugin, node, PluginRole.NODE, PluginHealth.HEALTHY, provider.machine(plugin, node));
  }

  private void nodePluginGone(String plugin, String node) {
    instance(plugin, node, PluginRole.NODE, PluginHealth.REMOVED, null);
  }

  private void instance(
      String plugin, String node, PluginRole role, PluginHealth health, @Nullable String machine) {
    boolean controller = role == PluginRole.CONTROLLER;
    streams.decide(
        new ClusterEvent.InstanceReported(
            new InstanceReport(
                plugin,
                node,
                role,
                health,
                "",
                "",
                "pool",
                "",
                "",
                controller,
                controller,
                false,
                !controller,
                machine,
                null,
                Map.of(),
                streams.now())));
    settle();
  }

  // ---- operators

  private boolean operator(Command.Body body) {
    if (!Operators.looks(this, body)) {
      return false;
    }
    Command command = new Command("c", "operator", "because", streams.now(), body);
    if (body instanceof Command.AboutVolume about) {
      VolumeKey key = new VolumeKey(about.namespace(), about.volume());
      streams.decide(new ClaimsEvent.Commanded(key, command));
    } else if (body instanceof Command.AboutPlugin) {
      streams.decide(new LanesEvent.Commanded(command));
    } else {
      streams.decide(new ClusterEvent.CommandArrived(command));
    }
    return true;
  }

  // ---- calls

  private boolean answer(String rpc, Ending ending) {
    OpenCall call =
        workers.calls().stream().filter(one -> one.text().equals(rpc)).findFirst().orElse(null);
    if (call == null || !possible(call, ending)) {
      return false;
    }
    if (ending.done()) {
      String alloc = String.valueOf(call.call().alloc());
      provider.did(call.call(), clients.promises(alloc));
    }
    OpenCall next = workers.end(call, ending, streams.now());
    if (next != null) {
      provider.begins(next.call(), this::node, streams.now());
    }
    return true;
  }

  /** Whether a plugin that tells the truth, on a machine that can be reached, can end a call so. */
  boolean possible(OpenCall call, Ending ending) {
    if (!call.work().toController() && !reachable(call.call().node())) {
      return false;
    }
    boolean undoing =
        switch (call.call().rpc()) {
          case CONTROLLER_UNPUBLISH, NODE_UNPUBLISH, NODE_UNSTAGE -> true;
          case CONTROLLER_PUBLISH, NODE_STAGE, NODE_PUBLISH -> false;
        };
    return !(ending == Ending.NOT_FOUND && undoing && provider.undoes(call.call()));
  }

  private boolean reachable(String node) {
    NodeView view = node(node);
    return view != null && view.ready();
  }

  private boolean lateReport() {
    if (workers.late().isEmpty()) {
      return false;
    }
    streams.decide(workers.late().remove(0));
    return true;
  }

  // ---- time

  private void pass(Duration time) {
    tellOfTheCluster();
    Instant end = streams.now().plus(time);
    Instant next = nextDue();
    while (next != null && !next.isAfter(end)) {
      streams.at(next.isAfter(streams.now()) ? next : streams.now());
      provider.forgetWhatIsOver(this::node, streams.now());
      expire();
      settle();
      streams.due();
      settle();
      Instant after = nextDue();
      // What cannot go on before a record arrives would be due for ever.
      next = after != null && !after.isAfter(streams.now()) ? laterThanNow(end) : after;
    }
    streams.at(end);
    provider.forgetWhatIsOver(this::node, end);
    streams.decide(new ClusterEvent.Tick());
  }

  /** News of the cluster takes moments, not minutes. */
  private void tellOfTheCluster() {
    while (!streams.ways().volumeSignals.isEmpty()) {
      streams.deliverToVolumes(streams.ways().volumeSignals.remove(0));
    }
    while (!streams.ways().laneSignals.isEmpty()) {
      streams.deliverToLanes(streams.ways().laneSignals.remove(0));
    }
  }

  private @Nullable Instant laterThanNow(Instant end) {
    Instant soon = streams.now().plusSeconds(1);
    return soon.isAfter(end) ? null : soon;
  }

  private @Nullable Instant nextDue() {
    Instant next = streams.nextDue();
    for (OpenCall call : workers.calls()) {
      next = next == null || call.until().isBefore(next) ? call.until() : next;
    }
    return next;
  }

  /** Workers give up the calls whose time has passed, and say so where they can. */
  private void expire() {
    for (OpenCall call : List.copyOf(workers.calls())) {
      if (!call.until().isAfter(streams.now())) {
        // No call of its run begins after one that was not answered.
        workers.end(call, Ending.DEADLINE, streams.now());
      }
    }
  }

  // ---- deliveries

  private boolean deliver(Step.Way way, int which) {
    Streams.Ways ways = streams.ways();
    return switch (way) {
      case REQUESTS -> deliver(ways.requests, firstOf(ways.requests, which), streams::deliver);
      case SETTLEMENTS ->
          deliver(ways.settlements, firstOfVolume(ways.settlements, which), streams::deliver);
      case VOLUME_SIGNALS -> deliver(ways.volumeSignals, 0, streams::deliverToVolumes);
      case LANE_SIGNALS -> deliver(ways.laneSignals, 0, streams::deliverToLanes);
      case WORK -> which < ways.work.size() && accept(which);
      case REPORTS -> deliver(workers.reports(), which, streams::decide);
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
    return volume < setup.volumes().size() ? setup.volumes().get(volume).key() : "";
  }

  private boolean accept(int which) {
    Work work = streams.ways().work.get(which);
    if (!work.toController()) {
      NodeView node = node(work.instanceNode());
      if (node == null || !node.ready()) {
        return false;
      }
      if (node.incarnation() != work.nodeIncarnation()) {
        streams.ways().work.remove(which);
        workers.refuse(work, streams.now());
        return true;
      }
    }
    streams.ways().work.remove(which);
    OpenCall call = workers.accept(work, streams.now());
    provider.begins(call.call(), this::node, streams.now());
    return true;
  }

  /** Hands over everything that is on its way, until nothing is. */
  void deliverAll() {
    boolean more = true;
    while (more) {
      more =
          deliver(Step.Way.VOLUME_SIGNALS, 0)
              || deliver(Step.Way.LANE_SIGNALS, 0)
              || deliver(streams.ways().requests, 0, streams::deliver)
              || deliver(streams.ways().settlements, 0, streams::deliver)
              || acceptAny()
              || deliver(workers.reports(), 0, streams::decide);
    }
  }

  private boolean acceptAny() {
    for (int i = 0; i < streams.ways().work.size(); i++) {
      if (accept(i)) {
        return true;
      }
    }
    return false;
  }

  // ---- what was decided

  private void decided(Rows before, ClaimsEvent event) {
    provider.forgetWhatIsOver(this::node, streams.now());
    rules.decided(before, event);
  }

  /** Rows of a volume on a node that count for its capacity. */
  List<Claim> countingOn(String volume, String node) {
    return streams.claims(volume).values(ClaimTables.CLAIMS).stream()
        .filter(claim -> claim.counts() && claim.node().equals(node))
        .toList();
  }

  @Nullable Attachment attachment(String volume, String node) {
    return streams.claims(volume).get(ClaimTables.ATTACHMENTS, Setup.key(volume).of(node));
  }

  @Nullable Claim claim(String volume, String alloc) {
    return streams.claims(volume).get(ClaimTables.CLAIMS, Setup.key(volume).of(alloc));
  }

  /** Whether a status says that the alloc is over. */
  static boolean over(ClientStatus status) {
    return status == ClientStatus.COMPLETE
        || status == ClientStatus.FAILED
        || status == ClientStatus.LOST;
  }
}
