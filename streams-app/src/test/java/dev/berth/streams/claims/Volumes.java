package dev.berth.streams.claims;

import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStatus;
import dev.berth.records.RpcCode;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Decision;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.kernel.State;
import dev.berth.streams.work.Hold;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The claims of one volume in a {@link World}: sends events to the core, folds its decisions, and
 * shows what came of them in the words of {@link Notation}. What is drained is what came since it
 * was last asked for.
 */
final class Volumes {
  final World world;
  final PlayedLanes lanes = new PlayedLanes();
  private final VolumeKey key;
  private final Map<String, Long> indexes = new HashMap<>();
  private final List<ClaimsEffect> effects = new ArrayList<>();
  private Consumer<Decided> watcher = decided -> {};
  private int commands;

  private Volumes(World world, String volume) {
    this.world = world;
    key = new VolumeKey(World.NAMESPACE, volume);
  }

  /** A decision with what it was made of. */
  record Decided(
      MapState before, ClaimsEvent event, Instant now, Decision<ClaimsEffect> decision) {}

  /** One of the volumes of the fixture F0. */
  static Volumes f0(String volume) {
    return new Volumes(World.f0(), volume);
  }

  void watch(Consumer<Decided> each) {
    watcher = each;
  }

  VolumeKey key() {
    return key;
  }

  // ---- events

  void decide(ClaimsEvent event) {
    Instant now = world.now();
    Decision<ClaimsEffect> decision =
        ClaimsDecider.decide(world.state, event, now, world.policies());
    watcher.accept(new Decided(world.state, event, now, decision));
    world.state.applyAll(decision.changes());
    effects.addAll(decision.effects());
    decision.effects().stream()
        .filter(ClaimsEffect.Requested.class::isInstance)
        .forEach(effect -> lanes.take(((ClaimsEffect.Requested) effect).request(), now));
    Settlement next = lanes.next();
    while (next != null) {
      decide(new ClaimsEvent.Settled(key, next));
      next = lanes.next();
    }
  }

  void say(String scheduler, String alloc, long index, ClaimsEvent.Statement statement) {
    indexes.merge(alloc, index, Math::max);
    decide(new ClaimsEvent.Stated(key, scheduler, index, alloc, statement));
  }

  void say(String alloc, ClaimsEvent.Statement statement) {
    say("nomad", alloc, indexes.getOrDefault(alloc, 0L) + 1, statement);
  }

  void claim(Ask ask) {
    long index = indexes.getOrDefault(ask.alloc(), 0L) + 1;
    ClaimAsk asked = ask.at("r-" + ask.alloc() + "-" + index, world.now());
    say(ask.scheduler(), ask.alloc(), index, new ClaimsEvent.Asked(asked));
  }

  /** Takes and attaches: the claim is granted afterwards. */
  void grant(Ask... asks) {
    for (Ask ask : asks) {
      claim(ask);
      answerAll();
    }
    drain();
  }

  void client(String alloc, ClientStatus status) {
    say(alloc, new ClaimsEvent.StatusChanged(status, DesiredStatus.RUN));
  }

  void ends(String alloc) {
    client(alloc, ClientStatus.COMPLETE);
  }

  void gone(String alloc) {
    say(alloc, new ClaimsEvent.Gone(null));
  }

  void unmounted(String alloc) {
    say(alloc, new ClaimsEvent.Unmounted(null));
  }

  void node(String node, NodeStatus status) {
    world.node(node, status);
    lookAtNode(node);
  }

  void fence(String node, boolean fenced) {
    world.fence(node, fenced);
    lookAtNode(node);
  }

  /** Looks at the volume as the processor does when something on a node changed. */
  void lookAtNode(String node) {
    Set<VolumeKey> volumes = new LinkedHashSet<>();
    world
        .state
        .scan(ClaimTables.BY_NODE, node + "/")
        .forEach(entry -> volumes.add(entry.value().key()));
    if (volumes.contains(key)) {
      look(false);
    }
  }

  void look(boolean ignoreThresholds) {
    decide(new ClaimsEvent.Look(key, "test", ignoreThresholds));
  }

  void command(Command.Body body) {
    commands++;
    decide(
        new ClaimsEvent.Commanded(
            key, new Command("c" + commands, "ops", "because", world.now(), body)));
  }

  /** Lets time pass, looking where a look is due. */
  void pass(Duration time) {
    Instant end = world.now().plus(time);
    Instant due = nextLook();
    while (due != null && !due.isAfter(end)) {
      world.at(due.isAfter(world.now()) ? due : world.now());
      look(false);
      due = nextLook();
    }
    world.at(end);
  }

  @Nullable Instant nextLook() {
    Wake wake = world.state.get(ClaimTables.WAKES, key.toString());
    return wake == null ? null : wake.at();
  }

  // ---- the lanes

  void answer(String call, Settlement.Body body) {
    answerFrom(null, call, body);
  }

  /** Answers a call that the lanes sent to a machine whose id they found themselves. */
  void answerFrom(@Nullable String machine, String call, Settlement.Body body) {
    decide(
        new ClaimsEvent.Settled(key, lanes.answer(lanes.idOf(call), body, machine, world.now())));
  }

  void ok(String call) {
    ok(call, Map.of());
  }

  void ok(String call, Map<String, String> context) {
    answer(call, new Settlement.Done(RpcCode.OK, call.endsWith(" ro"), context));
  }

  /** An attempt failed and will be tried again. */
  void held(
      String call, HoldCode code, @Nullable RpcCode rpc, boolean mayHaveEffect, boolean stuck) {
    Instant now = world.now();
    Instant retry = rpc == null ? null : now.plusSeconds(1);
    Hold hold = new Hold(code, "not now", rpc, stuck ? 8 : 1, now, now, retry, stuck);
    answer(call, new Settlement.Held(hold, mayHaveEffect));
  }

  /** Answers every call OK until the lanes are empty. */
  void answerAll() {
    while (!lanes.calls().isEmpty()) {
      ok(lanes.calls().get(0));
    }
  }

  /** Two complete listings in a row agree; the earlier one began then. */
  void listed(Instant since, String... nodes) {
    decide(
        new ClaimsEvent.Settled(
            key,
            new Settlement(
                "listing/1",
                key.toString(),
                "ebs",
                null,
                world.now(),
                new Settlement.Listed(List.of(nodes), List.of(nodes), since))));
  }

  // ---- what there is

  List<String> table() {
    return claims().stream().map(Notation::row).toList();
  }

  List<Claim> claims() {
    return world.state.scan(ClaimTables.CLAIMS, key.prefix()).stream()
        .map(State.Entry::value)
        .toList();
  }

  Claim row(String alloc) {
    return claims().stream().filter(claim -> claim.alloc().equals(alloc)).findFirst().orElseThrow();
  }

  List<String> attachments() {
    return uses().stream().map(Notation::attachment).toList();
  }

  List<Attachment> uses() {
    return world.state.scan(ClaimTables.ATTACHMENTS, key.prefix()).stream()
        .map(State.Entry::value)
        .toList();
  }

  Optional<Volume> volume() {
    return Optional.ofNullable(world.state.get(ClaimTables.VOLUMES, key.toString()));
  }

  // ---- what came

  /** Everything asked of the lanes. */
  List<String> requests() {
    return taken(ClaimsEffect.Requested.class).stream()
        .map(it -> Notation.request(it.request()))
        .toList();
  }

  /** The requests themselves. */
  List<LaneRequest> laneRequests() {
    return taken(ClaimsEffect.Requested.class).stream()
        .map(ClaimsEffect.Requested::request)
        .toList();
  }

  List<String> replies() {
    return taken(ClaimsEffect.Replied.class).stream().map(Notation::reply).toList();
  }

  List<ClaimsEffect.Replied> wholeReplies() {
    return taken(ClaimsEffect.Replied.class);
  }

  /** Findings: kind and the provider's node id. */
  List<String> findings() {
    return taken(ClaimsEffect.Drifted.class).stream()
        .map(it -> it.drift().kind() + " " + it.drift().externalNode())
        .toList();
  }

  /** Answers to commands: {@code ok} or the refusal. */
  List<String> answers() {
    return taken(ClaimsEffect.Answered.class).stream()
        .map(it -> it.answer().refusal() == null ? "ok" : it.answer().refusal().text())
        .toList();
  }

  List<String> deadLetters() {
    List<ClaimsEffect> letters =
        effects.stream()
            .filter(it -> it instanceof ClaimsEffect.Stuck || it instanceof ClaimsEffect.Resolved)
            .toList();
    effects.removeAll(letters);
    return letters.stream().map(Notation::deadLetter).toList();
  }

  /** Names of what happened, each with its alloc. */
  List<String> happenings() {
    return taken(ClaimsEffect.Happened.class).stream()
        .map(it -> it.alloc() == null ? it.name() : it.name() + " " + it.alloc())
        .toList();
  }

  /** Forgets what came so far. */
  void drain() {
    effects.clear();
  }

  <E extends ClaimsEffect> List<E> taken(Class<E> type) {
    List<E> found = effects.stream().filter(type::isInstance).map(type::cast).toList();
    effects.removeIf(type::isInstance);
    return found;
  }
}
