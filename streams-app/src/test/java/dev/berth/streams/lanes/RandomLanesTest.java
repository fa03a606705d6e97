package dev.berth.streams.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.records.CallFate;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStatus;
import dev.berth.records.NotSentReason;
import dev.berth.records.PluginRole;
import dev.berth.records.RpcCode;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.command.Command;
import dev.berth.streams.kernel.Change;
import dev.berth.streams.kernel.MapState;
import dev.berth.streams.work.LaneRequest;
import dev.berth.streams.work.Settlement;
import dev.berth.streams.work.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens in whatever order, the guarantees hold. The workers here keep their own record
 * of which calls may be open, so that the lanes' bookkeeping is not its own witness.
 */
@Execution(ExecutionMode.CONCURRENT)
class RandomLanesTest {
  private static final int STEPS = 400;
  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Duration MARGIN = Duration.ofSeconds(5);
  private static final Set<String> ALL_SCOPES = Set.of("plugin", "node", "volume", "volume-node");

  /** A run that a worker may be making, and the call of it that comes next. */
  private record Open(Work work, String acceptance, Instant until, int next) {}

  private final LanesWorld world =
      new LanesWorld().policy("rpc-timeout", "15s").policy("settle-margin", "5s");
  private final List<Work> dispatched = new ArrayList<>();
  private final List<Open> open = new ArrayList<>();
  private final List<Open> over = new ArrayList<>();
  private final Set<String> asked = new HashSet<>();
  private final Map<String, Settlement.Body> ended = new HashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void theGuaranteesHoldWhateverHappens(long seed) {
    Random random = new Random(seed);
    for (int step = 0; step < STEPS; step++) {
      step(random);
      follow();
    }
    letEverythingEnd();
    assertThat(ended.keySet()).as("every request was settled").isEqualTo(asked);
    assertThat(folded()).as("the fold of the log").isEqualTo(world.state());
    assertThat(world.status()).extracting("queued", "held", "inFlight").containsOnly(0L);
  }

  private void step(Random random) {
    switch (random.nextInt(20)) {
      case 0, 1, 2, 3, 4 -> ask(random);
      case 5, 6, 7 -> accept(random);
      case 8, 9, 10, 11 -> end(random);
      case 12, 13, 14 -> world.advance(Duration.ofMillis(random.nextInt(20_000)));
      case 15 -> changeNode(random);
      case 16 -> changeInstance(random);
      case 17 -> operate(random);
      case 18 -> worker(random);
      default -> takeBackOrWake(random);
    }
  }

  private void ask(Random random) {
    CsiCall rpc = any(random, CsiCall.class);
    String volume = "v" + random.nextInt(6);
    String node = "n" + (1 + random.nextInt(3));
    boolean known = random.nextInt(4) > 0;
    boolean controller = LaneKind.of(rpc) != LaneKind.NODE;
    String external = controller && known ? "i-" + node : null;
    asked.add(
        world.enqueue(
            LanesWorld.EBS,
            LanesWorld.call(rpc, volume, node, external),
            rpc == CsiCall.CONTROLLER_PUBLISH && random.nextBoolean()));
  }

  private void accept(Random random) {
    if (!open.isEmpty() && random.nextInt(15) == 0) {
      // Two groups serve one route: another makes the same run.
      Work work = open.get(random.nextInt(open.size())).work();
      open.add(
          new Open(work, world.accept(work, TIMEOUT), world.now().plus(TIMEOUT).plus(MARGIN), 0));
      return;
    }
    if (!dispatched.isEmpty()) {
      Work work = dispatched.remove(random.nextInt(dispatched.size()));
      String acceptance = world.accept(work, TIMEOUT);
      open.add(new Open(work, acceptance, world.now().plus(TIMEOUT).plus(MARGIN), 0));
    }
  }

  private void end(Random random) {
    if (!open.isEmpty()) {
      Open run = open.remove(random.nextInt(open.size()));
      CallEnd end = anyEnd(random);
      int next = run.next() + 1;
      boolean stops = end.fate() == CallFate.UNREACHED || end.fate() == CallFate.UNANSWERED;
      boolean goesOn = next < run.work().calls().size() && !stops;
      // Before the report, for what it lets out must not find this call open, nor its run over.
      if (goesOn) {
        open.add(new Open(run.work(), run.acceptance(), run.until(), next));
      }
      over.add(run);
      world.outcome(run.work(), run.next(), run.acceptance(), end);
      for (; !goesOn && next < run.work().calls().size(); next++) {
        follow();
        world.outcome(run.work(), next, run.acceptance(), stopped());
      }
    }
  }

  private CallEnd stopped() {
    return world.end(CallFate.NOT_SENT, NotSentReason.RUN_STOPPED, RpcCode.ABORTED);
  }

  private CallEnd anyEnd(Random random) {
    CallFate fate = any(random, CallFate.class);
    NotSentReason reason =
        fate == CallFate.NOT_SENT ? any(random, NotSentReason.class) : NotSentReason.NONE;
    RpcCode code = random.nextBoolean() ? RpcCode.OK : any(random, RpcCode.class);
    return world.end(fate, reason, code);
  }

  private void changeNode(Random random) {
    NodeStatus status = any(random, NodeStatus.class);
    world.node("n" + (1 + random.nextInt(3)), status);
  }

  private void changeInstance(Random random) {
    String node = "n" + (1 + random.nextInt(3));
    switch (random.nextInt(4)) {
      case 0 -> world.instanceRemoved(LanesWorld.EBS, node, PluginRole.CONTROLLER);
      case 1 -> world.controller(LanesWorld.EBS, node, random.nextBoolean(), random.nextBoolean());
      case 2 ->
          world.nodeInstance(
              LanesWorld.EBS,
              node,
              random.nextBoolean() ? "i-" + node : null,
              random.nextBoolean() ? 3L : null,
              random.nextBoolean());
      default -> world.pluginRemoved(LanesWorld.EBS);
    }
  }

  private void operate(Random random) {
    switch (random.nextInt(6)) {
      case 5 -> world.policy("run", Integer.toString(random.nextInt(5)));
      case 0 -> world.command(new Command.PausePlugin(LanesWorld.EBS));
      case 1, 2 -> world.command(new Command.ResumePlugin(LanesWorld.EBS));
      case 3 -> world.decide(new LanesEvent.GcRequested());
      default -> {
        List<String> scopes = ALL_SCOPES.stream().sorted().toList();
        world.policy("lane", scopes.get(random.nextInt(scopes.size())));
      }
    }
  }

  private void worker(Random random) {
    switch (random.nextInt(4)) {
      case 0 -> {
        world.ownerChanged();
        open.replaceAll(
            call ->
                new Open(
                    call.work(),
                    call.acceptance(),
                    world.now().plus(TIMEOUT).plus(MARGIN),
                    call.next()));
      }
      case 1 -> repeatAnOutcome(random);
      case 2 -> loseAWorker();
      default ->
          world.decide(
              new LanesEvent.OutcomeArrived(
                  "ebs/nothing", "acc", "gce", "a/b#1", -7, anyEnd(random)));
    }
  }

  private void repeatAnOutcome(Random random) {
    if (!over.isEmpty()) {
      Open call = over.get(random.nextInt(over.size()));
      world.outcome(call.work(), call.next(), call.acceptance(), anyEnd(random));
    }
  }

  /** A worker dies: its calls are never reported and are over when their time has passed. */
  private void loseAWorker() {
    if (!open.isEmpty()) {
      open.remove(0);
      world.advance(TIMEOUT.plus(MARGIN));
    }
  }

  private void takeBackOrWake(Random random) {
    List<String> known = asked.stream().sorted().toList();
    if (!known.isEmpty()) {
      String request = known.get(random.nextInt(known.size()));
      LaneRequest.Body body =
          random.nextBoolean()
              ? new LaneRequest.Withdraw()
              : new LaneRequest.Wake(random.nextBoolean());
      world.request(request, LanesWorld.EBS, body);
    }
  }

  /** Takes note of what was decided, and checks it against what workers may be doing. */
  private void follow() {
    open.removeIf(call -> !world.now().isBefore(call.until()));
    dispatched.removeIf(this::refused);
    for (LanesEffect effect : world.effects()) {
      if (effect instanceof LanesEffect.Dispatch dispatch) {
        Work work = dispatch.work();
        assertThat(work.calls().get(0).call().toController() == (work.nodeIncarnation() == 0))
            .isTrue();
        assertThat(open.stream().map(call -> call.work().lane()))
            .as("open calls when %s goes out", work)
            .doesNotContain(work.lane());
        assertThat(dispatched.stream().map(Work::lane)).doesNotContain(work.lane());
        assertThat(scopesOut()).as("scopes of open controller calls").isSubsetOf(scope(work));
        dispatched.add(work);
      } else if (effect instanceof LanesEffect.Settle settle) {
        settled(settle.settlement());
      }
    }
  }

  /** Whether whoever accepts it finds its node past the incarnation that it was meant for. */
  private boolean refused(Work work) {
    NodeView node = ClusterTables.node(world.state(), work.instanceNode());
    return !work.toController()
        && node != null
        && (node.incarnation() > work.nodeIncarnation()
            || node.status() == NodeStatus.DOWN
            || node.status() == NodeStatus.GONE);
  }

  /** Scopes of the controller calls that may be open or be accepted: two together could overlap. */
  private Set<String> scopesOut() {
    return Stream.concat(open.stream().map(Open::work), dispatched.stream())
        .filter(Work::toController)
        .flatMap(work -> scope(work).stream())
        .collect(Collectors.toSet());
  }

  /** The scope in a controller work's lane; none for node work, which overlaps with all. */
  private static Set<String> scope(Work work) {
    if (!work.toController()) {
      return ALL_SCOPES;
    }
    String within = work.lane().substring((LanesWorld.EBS + "/controller").length());
    return Set.of(within.isEmpty() ? "plugin" : within.substring(1, within.indexOf('/', 1)));
  }

  private void settled(Settlement settlement) {
    boolean last =
        settlement.body() instanceof Settlement.Done
            || settlement.body() instanceof Settlement.Failed
            || settlement.body() instanceof Settlement.Withdrawn
            || settlement.body() instanceof Settlement.SlotRefused;
    if (last && world.settled(settlement.requestId())) {
      ended.put(settlement.requestId(), settlement.body());
    }
  }

  /** Heals the world, and has workers answer OK until nothing is left. */
  private void letEverythingEnd() {
    for (int i = 1; i <= 3; i++) {
      world.node("n" + i, NodeStatus.READY);
      world.nodeInstance(LanesWorld.EBS, "n" + i, "i-n" + i, null, true);
      world.controller(LanesWorld.EBS, "n" + i, true, true);
    }
    world.command(new Command.ResumePlugin(LanesWorld.EBS));
    follow();
    for (int round = 0; round < 1000 && !idle(); round++) {
      while (!dispatched.isEmpty()) {
        Work work = dispatched.remove(0);
        String acceptance = world.accept(work, TIMEOUT);
        for (int index = 0; index < work.calls().size(); index++) {
          CallEnd ok = world.end(CallFate.ANSWERED, NotSentReason.NONE, RpcCode.OK);
          world.outcome(work, index, acceptance, ok);
          follow();
        }
      }
      world.advance(Duration.ofMinutes(1));
      follow();
    }
  }

  private boolean idle() {
    LaneStatus status = world.status();
    return status.queued() + status.held() + status.inFlight() == 0;
  }

  private static <E extends Enum<E>> E any(Random random, Class<E> type) {
    return List.copyOf(EnumSet.allOf(type)).get(random.nextInt(EnumSet.allOf(type).size()));
  }

  private MapState folded() {
    MapState folded = new MapState();
    for (Change change : world.log()) {
      folded.apply(change);
    }
    return folded;
  }
}
