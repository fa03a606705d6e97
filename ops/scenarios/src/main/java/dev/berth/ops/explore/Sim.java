package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.cluster.ClusterEvent;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.lanes.LanesEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
  private final Fleet fleet = new Fleet(this);
  private final Clock clock = new Clock(this);
  private final Deliveries deliveries = new Deliveries(this);
  private final Answers answers = new Answers(this);
  private final CallRules callRules = new CallRules(this);
  private final Rules rules;
  private final List<String> broken = new ArrayList<>();
  private Consumer<Step> listener = step -> {};

  private Sim(Setup setup, Deciders deciders, boolean prompt, Rules.Verdicts verdicts) {
    this.setup = setup;
    this.prompt = prompt;
    provider = new Provider(setup);
    workers = new Workers(broken::add);
    clients = new Clients(this);
    streams = new Streams(setup, deciders, BEGIN, clients::replied, this::decided);
    rules = new Rules(this, deciders, verdicts);
  }

  /** A world in which every node and plugin is well and every volume is registered. */
  static Sim begin(Setup setup, Deciders deciders, boolean prompt) {
    Sim sim = new Sim(setup, deciders, prompt, new Rules.Verdicts());
    Stream.concat(setup.controllers().stream(), setup.nodes().stream())
        .forEach(node -> sim.fleet.report(node, NodeStatus.READY));
    for (String plugin : setup.plugins()) {
      setup.controllers().forEach(node -> sim.fleet.controller(plugin, node, true));
      setup.nodes().forEach(node -> sim.fleet.nodePlugin(plugin, node));
    }
    setup.volumes().forEach(volume -> sim.operator(new Command.RegisterVolume(volume)));
    sim.deliveries.deliverAll();
    return sim;
  }

  /**
   * A world to be {@linkplain #restore restored} from scenes.
   *
   * @param verdicts what was found before, here or in other worlds of this setup
   */
  static Sim blank(Setup setup, Deciders deciders, Rules.Verdicts verdicts) {
    return new Sim(setup, deciders, true, verdicts);
  }

  void restore(Scene scene) {
    broken.clear();
    streams.restore(scene);
    workers.restore(scene);
    provider.restore(scene);
    clients.restore(scene);
    callRules.restore(scene);
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
        callRules.begun(),
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

  Answers answers() {
    return answers;
  }

  CallRules callRules() {
    return callRules;
  }

  Deliveries deliveries() {
    return deliveries;
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

  /** In a prompt world hands over whatever is on its way. */
  void settle() {
    if (prompt) {
      deliveries.deliverAll();
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
      return fleet.node(node.node(), node.status());
    } else if (step instanceof Step.Controller controller) {
      fleet.controller(controller.plugin(), controller.node(), controller.healthy());
    } else if (step instanceof Step.NodePlugin plugin) {
      return fleet.nodePlugin(plugin.plugin(), plugin.node(), plugin.tellsId());
    } else if (step instanceof Step.Operator operator) {
      return operator(operator.body());
    } else if (step instanceof Step.Answer answer) {
      return answers.answer(answer.rpc(), answer.ending());
    } else if (step instanceof Step.LateReport) {
      return answers.lateReport();
    } else if (step instanceof Step.Time time) {
      clock.pass(time.passes());
    } else if (step instanceof Step.RestartStreams) {
      streams.restart();
    } else if (step instanceof Step.Delivery delivery) {
      return deliveries.deliver(delivery.way(), delivery.which());
    }
    return true;
  }

  /** What {@code Cluster} knows of a node, which is what is so; null when it knows nothing. */
  @Nullable NodeView node(String node) {
    return streams.cluster().get(ClusterTables.NODES, node);
  }

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
