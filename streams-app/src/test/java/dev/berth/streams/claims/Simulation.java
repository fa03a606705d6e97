package dev.berth.streams.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.CsiCall;
import dev.berth.records.DesiredStatus;
import dev.berth.records.NodeStatus;
import dev.berth.records.ReplyOutcome;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A volume under random events: allocs come, claim and end, nodes are lost and come back,
 * controllers fall ill, operators command, and lanes and plugin answer in every order. Holds {@link
 * ClaimInvariants} after each decision and what {@link SimProvider} forbids before each call.
 */
final class Simulation {
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final List<AccessMode> MODES = List.of(AccessMode.values());

  private final World world = World.f0();
  private final Random random;
  private final VolumeKey key;
  private final VolumeSpec spec;
  private final SimProvider provider;
  private final SimLanes lanes;
  private final ClaimInvariants invariants;
  private final Map<String, Long> indexes = new HashMap<>();
  private final Map<String, String> nodeOf = new HashMap<>();
  private final Map<String, ClientStatus> statuses = new HashMap<>();
  private final StringBuilder log = new StringBuilder();
  private int allocs;
  private int commands;
  private int lives;

  Simulation(long seed, String volume, Map<String, String> policy) {
    random = new Random(seed);
    key = new VolumeKey(World.NAMESPACE, volume);
    policy.forEach(world::policy);
    Volume registered = world.state.get(ClaimTables.VOLUMES, key.toString());
    spec = java.util.Objects.requireNonNull(registered).spec();
    boolean single = spec.capabilities().get(0).access() == AccessMode.SINGLE_NODE_WRITER;
    provider = new SimProvider(world, single, world.policies().of(spec.plugin(), key.toString()));
    lanes = new SimLanes(world, random, provider, spec.plugin());
    invariants = new ClaimInvariants(key, world.state);
  }

  /** Runs random steps. */
  void run(int steps) {
    for (int i = 0; i < steps; i++) {
      try {
        step();
      } catch (AssertionError | RuntimeException broken) {
        throw new AssertionError("step " + i + "\n" + this, broken);
      }
    }
  }

  private void step() {
    switch (random.nextInt(24)) {
      case 0, 1, 2 -> claim();
      case 3, 4 -> status();
      case 5, 6 -> clientUnmounts();
      case 7 -> say(anyAlloc(), new ClaimsEvent.UnmountFailed(null, "busy"));
      case 8 -> gone();
      case 9 -> node();
      case 10 -> controller();
      case 11 -> command();
      case 12 -> pass(Duration.ofSeconds(random.nextInt(900)));
      case 13 -> look(random.nextInt(4) == 0);
      case 14, 15, 16, 17, 18 -> lanes.step();
      default -> settle(lanes.deliver());
    }
  }

  // ---- deciding

  private void decide(ClaimsEvent event) {
    Instant now = world.now();
    log.append("  ").append(event).append('\n');
    Decision<ClaimsEffect> decision =
        ClaimsDecider.decide(world.state, event, now, world.policies());
    assertThat(ClaimsDecider.decide(world.state, event, now, world.policies()))
        .as("the same decision once more")
        .isEqualTo(decision);
    world.state.applyAll(decision.changes());
    decision.effects().forEach(this::take);
    provider.forgetMountsThatAreOver();
    invariants.check(world.state, now, world.policies(), decision);
    assertThat(
            provider.leaked(
                world.state.scan(ClaimTables.ATTACHMENTS, "").stream()
                    .map(State.Entry::value)
                    .toList()))
        .as("attached and forgotten")
        .isEmpty();
    assertThat(
            ClaimsDecider.decide(
                world.state, new ClaimsEvent.Look(key, "test", false), now, world.policies()))
        .as("a look after the decision")
        .isEqualTo(new Decision<ClaimsEffect>(List.of(), List.of()));
  }

  private void take(ClaimsEffect effect) {
    if (effect instanceof ClaimsEffect.Requested requested) {
      log.append("    > ").append(Notation.request(requested.request())).append('\n');
      lanes.ask(requested.request());
    } else if (effect instanceof ClaimsEffect.Replied replied
        && replied.outcome() == ReplyOutcome.GRANTED) {
      log.append("    > ").append(Notation.reply(replied)).append('\n');
      granted(replied);
    }
  }

  private void granted(ClaimsEffect.Replied replied) {
    String node = replied.ask().node();
    Attachment use = world.state.get(ClaimTables.ATTACHMENTS, key.of(node));
    if (use != null && use.published() && use.externalNode() != null) {
      assertThat(provider.isAttached(use.externalNode()))
          .as("%s is granted what is attached", replied.alloc())
          .isTrue();
    }
    if (!provider.workers()) {
      provider.mount(replied.alloc(), node);
    }
  }

  private void settle(@Nullable Settlement settlement) {
    if (settlement != null) {
      decide(new ClaimsEvent.Settled(key, settlement));
    }
  }

  // ---- allocs

  private void claim() {
    boolean known = allocs > 0 && random.nextInt(3) == 0;
    String alloc = known ? anyAlloc() : "a" + ++allocs;
    String node = nodeOf.computeIfAbsent(alloc, fresh -> NODES.get(random.nextInt(NODES.size())));
    AccessMode access =
        random.nextInt(10) == 0
            ? MODES.get(random.nextInt(MODES.size()))
            : spec.capabilities().get(random.nextInt(spec.capabilities().size())).access();
    ClaimMode mode = random.nextBoolean() ? ClaimMode.WRITE : ClaimMode.READ;
    Ask ask =
        mode == ClaimMode.WRITE ? Ask.writer(alloc, node, access) : Ask.reader(alloc, node, access);
    if (random.nextInt(3) == 0) {
      Duration promise = Duration.ofMinutes(5);
      provider.promised(alloc, promise);
      ask = ask.promising(promise);
    }
    long index = indexes.merge(alloc, 1L, Long::sum);
    ClaimAsk asked = ask.at("r" + index, world.now());
    decide(new ClaimsEvent.Stated(key, "nomad", index, alloc, new ClaimsEvent.Asked(asked)));
  }

  private String anyAlloc() {
    return "a" + (allocs == 0 ? 1 : Math.max(1, allocs - random.nextInt(6)));
  }

  private void status() {
    String alloc = anyAlloc();
    ClientStatus before = statuses.getOrDefault(alloc, ClientStatus.PENDING);
    if (Leaving.over(before)) {
      return;
    }
    ClientStatus[] all = ClientStatus.values();
    ClientStatus status = all[random.nextInt(all.length)];
    statuses.put(alloc, status);
    say(alloc, new ClaimsEvent.StatusChanged(status, DesiredStatus.RUN));
  }

  /** A client unmounts what has ended, or, now and then, what has not. */
  private void clientUnmounts() {
    if (provider.workers()) {
      return;
    }
    List<SimProvider.Mount> mounts = provider.mounts();
    if (mounts.isEmpty()) {
      say(anyAlloc(), new ClaimsEvent.Unmounted(0L));
      return;
    }
    SimProvider.Mount mount = mounts.get(random.nextInt(mounts.size()));
    NodeView node = world.state.get(ClusterTables.NODES, mount.node());
    if (node != null && node.ready()) {
      unmount(mount);
    }
  }

  private void unmount(SimProvider.Mount mount) {
    Claim claim = world.state.get(ClaimTables.CLAIMS, key.of(mount.alloc()));
    provider.unmount(mount.alloc(), mount.node());
    say(
        mount.alloc(),
        new ClaimsEvent.Unmounted(
            claim == null || random.nextBoolean() ? null : claim.generation()));
  }

  private void gone() {
    String alloc = anyAlloc();
    Claim claim = world.state.get(ClaimTables.CLAIMS, key.of(alloc));
    say(alloc, new ClaimsEvent.Gone(claim == null ? null : claim.generation()));
  }

  private void say(String alloc, ClaimsEvent.Statement statement) {
    long index = indexes.merge(alloc, 1L, Long::sum);
    decide(new ClaimsEvent.Stated(key, "nomad", index, alloc, statement));
  }

  // ---- the cluster

  private void node() {
    String node = NODES.get(random.nextInt(NODES.size()));
    NodeView before = java.util.Objects.requireNonNull(world.state.get(ClusterTables.NODES, node));
    boolean deleted = before.status() == NodeStatus.GONE;
    switch (deleted ? 7 : random.nextInt(8)) {
      case 0, 1 -> world.node(node, NodeStatus.DISCONNECTED);
      case 2, 3 -> world.node(node, NodeStatus.DOWN);
      case 4 -> {
        if (!before.ready()) {
          world.fence(node, true);
        }
      }
      case 5 -> world.fence(node, false);
      case 6 -> {
        world.node(node, NodeStatus.GONE);
        world.removeNodePlugin(spec.plugin(), node);
      }
      default -> back(node, before);
    }
    log.append("  ").append(world.state.get(ClusterTables.NODES, node)).append('\n');
    lookAtNode(node);
  }

  /** A node that was deleted comes back as another machine of that name. */
  private void back(String node, NodeView before) {
    if (!before.ready()) {
      lanes.nodeIsBack(node);
    }
    world.node(node, NodeStatus.READY);
    if (before.status() == NodeStatus.GONE) {
      provider.clear(node);
      lives++;
    }
    if (world.externalNode(spec.plugin(), node) == null) {
      world.nodePlugin(spec.plugin(), node, node + "." + lives, spec.plugin().equals("ebs"));
    }
  }

  private void controller() {
    String node = NODES.get(random.nextInt(2));
    if (spec.plugin().equals("nfs")) {
      return;
    }
    switch (random.nextInt(4)) {
      case 0 -> world.sickController(spec.plugin(), node);
      case 1 -> world.removeController(spec.plugin(), node);
      default -> world.controller(spec.plugin(), node, true);
    }
    lookAtNode(node);
  }

  private void lookAtNode(String node) {
    if (!world.state.scan(ClaimTables.BY_NODE, node + "/").isEmpty()) {
      look(false);
    }
    provider.forgetMountsThatAreOver();
  }

  private void look(boolean collect) {
    decide(new ClaimsEvent.Look(key, collect ? ClaimsEvent.Look.COLLECTION : "test", collect));
  }

  private void pass(Duration time) {
    Instant end = world.now().plus(time);
    Wake wake = world.state.get(ClaimTables.WAKES, key.toString());
    while (wake != null && !wake.at().isAfter(end)) {
      world.at(wake.at());
      look(false);
      wake = world.state.get(ClaimTables.WAKES, key.toString());
    }
    world.at(end);
  }

  // ---- operators

  private void command() {
    String node = NODES.get(random.nextInt(NODES.size()));
    switch (random.nextInt(8)) {
      case 0, 1 -> command(new Command.DetachVolume("default", key.volume(), node));
      case 2, 3 -> command(new Command.RetryVolume("default", key.volume(), null));
      case 4 -> assumeDetached(node);
      case 5 -> unblock();
      case 6 ->
          command(new Command.DeregisterVolume("default", key.volume(), random.nextBoolean()));
      default -> command(new Command.RegisterVolume(spec));
    }
  }

  private void assumeDetached(String node) {
    // An operator looks before he vouches.
    List<Claim> rows = rows().stream().filter(c -> c.counts() && c.node().equals(node)).toList();
    Attachment use = world.state.get(ClaimTables.ATTACHMENTS, key.of(node));
    boolean attaching =
        (use != null && use.requesting(CsiCall.CONTROLLER_PUBLISH))
            || rows.stream().anyMatch(row -> row.requestCall() == CsiCall.CONTROLLER_PUBLISH);
    if (attaching || rows.stream().anyMatch(claim -> claim.ending() == null)) {
      return;
    }
    provider.detachedByHand(node);
    command(new Command.AssumeDetached("default", key.volume(), node));
  }

  private void unblock() {
    for (String node : NODES) {
      NodeView view = java.util.Objects.requireNonNull(world.state.get(ClusterTables.NODES, node));
      if (!view.ready()) {
        provider.unstaged(node);
        rows().stream()
            .filter(claim -> claim.node().equals(node))
            .filter(claim -> claim.ending() != null || view.status() == NodeStatus.DOWN)
            .forEach(claim -> provider.unmount(claim.alloc(), node));
      }
    }
    command(new Command.UnblockVolume("default", key.volume()));
  }

  private void command(Command.Body body) {
    commands++;
    Command command = new Command("c" + commands, "ops", "because", world.now(), body);
    decide(new ClaimsEvent.Commanded(key, command));
  }

  // ---- the end

  /** Heals everything, ends every alloc and lets everything be answered: then all must be free. */
  void endsWithNothingLeft() {
    try {
      heal();
      for (int round = 0; round < 200 && !(lanes.idle() && rows().isEmpty()); round++) {
        rows().stream()
            .filter(claim -> !Leaving.over(claim.client()))
            .forEach(
                claim ->
                    say(
                        claim.alloc(),
                        new ClaimsEvent.StatusChanged(ClientStatus.COMPLETE, DesiredStatus.STOP)));
        if (!provider.workers()) {
          provider.mounts().forEach(this::unmount);
        }
        for (int i = 0; i < 20; i++) {
          lanes.step();
          settle(lanes.deliver());
        }
        pass(Duration.ofMinutes(1));
      }
      assertThat(rows()).as("rows").isEmpty();
      assertThat(lanes.idle()).as("lanes are empty").isTrue();
      assertThat(world.state.scan(ClaimTables.ATTACHMENTS, "")).as("attachments").isEmpty();
      assertThat(lanes.slots()).as("slots").isEmpty();
      assertThat(provider.isFree()).as("the provider's volume is free: %s", provider).isTrue();
      Volume volume = world.state.get(ClaimTables.VOLUMES, key.toString());
      assertThat(volume == null ? null : volume.access()).isNull();
    } catch (AssertionError | RuntimeException broken) {
      throw new AssertionError("at the end\n" + this, broken);
    }
  }

  private void heal() {
    lanes.beKind();
    for (String node : NODES) {
      NodeView before =
          java.util.Objects.requireNonNull(world.state.get(ClusterTables.NODES, node));
      back(node, before);
      world.fence(node, false);
      if (!spec.plugin().equals("nfs")) {
        world.controller(spec.plugin(), node, true);
      }
      lookAtNode(node);
    }
    look(false);
  }

  private List<Claim> rows() {
    return world.state.scan(ClaimTables.CLAIMS, key.prefix()).stream()
        .map(State.Entry::value)
        .toList();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int from = Math.max(0, log.length() - 12_000);
    text.append(log.substring(from)).append("now ").append(world.now()).append('\n');
    rows().forEach(claim -> text.append("row ").append(claim).append('\n'));
    world
        .state
        .scan(ClaimTables.ATTACHMENTS, "")
        .forEach(use -> text.append(use.value()).append('\n'));
    return text.append(lanes).append('\n').append(provider).toString();
  }
}
