package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.command.Command;
import dev.berth.streams.command.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A random walk through a world of two volumes, three nodes, four allocs and two plugins, in which
 * records cross, repeat and come late, calls end in every way and everything restarts. The same
 * seed gives the same walk.
 */
final class RandomWalk {
  private final Random random;
  private final Setup setup;
  private final Alphabet alphabet;
  private int allocs;

  RandomWalk(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    setup = setup(random);
    alphabet =
        new Alphabet(
            EnumSet.allOf(Step.Letter.class),
            List.of(),
            List.of(ClientStatus.values()),
            List.of(Ending.values()),
            List.of(
                Ending.OK,
                Ending.NOT_FOUND,
                Ending.ABORTED,
                Ending.UNAVAILABLE,
                Ending.UNREACHED,
                Ending.DEADLINE,
                Ending.DEADLINE_DONE,
                Ending.INTERNAL,
                Ending.INTERNAL_DONE,
                Ending.LOST,
                Ending.LOST_DONE,
                Ending.LATE),
            List.of(NodeStatus.READY, NodeStatus.DISCONNECTED, NodeStatus.DOWN, NodeStatus.GONE),
            Duration.ofMinutes(1),
            3);
  }

  private static Setup setup(Random random) {
    boolean shared = random.nextInt(4) == 0;
    AccessMode[] multi =
        random.nextBoolean()
            ? new AccessMode[] {AccessMode.MULTI_NODE_SINGLE_WRITER, AccessMode.MULTI_NODE_READER}
            : new AccessMode[] {AccessMode.MULTI_NODE_MULTI_WRITER};
    return new Setup(
        List.of(
            Setup.volume("vS", "ebs", AccessMode.SINGLE_NODE_WRITER, AccessMode.SINGLE_NODE_READER),
            Setup.volume("vM", shared ? "ebs" : "gce", multi)),
        List.of("ebs", "gce"),
        List.of("c1", "c2"),
        List.of("n1", "n2", "n3"),
        4,
        random.nextInt(3) == 0 ? 1L : null,
        Map.of(
            "node-step", one(random, "client", "worker"),
            "node-loss", one(random, "stop-on-disconnect", "hold", "detach"),
            "lane", one(random, "plugin", "node", "volume", "volume-node"),
            "max-attempts", one(random, "2", "8"),
            "run", one(random, "0", "1", "4"),
            "rpc-timeout", "2m",
            "settle-margin", one(random, "0s", "5s"),
            "ready-timeout", one(random, "10m", "24h"),
            "backoff.jitter", "0"));
  }

  private static String one(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  Setup setup() {
    return setup;
  }

  /** A step that makes sense now. What is ill is mostly left time to matter, then healed. */
  Step next(Sim sim) {
    Map<Step.Letter, List<Step>> possible = new EnumMap<>(Step.Letter.class);
    for (Step step : alphabet.possible(sim)) {
      possible.computeIfAbsent(step.letter(), letter -> new ArrayList<>()).add(step);
    }
    possible.put(Step.Letter.CLAIM, List.of(claim(sim)));
    possible.put(Step.Letter.TIME, List.of(new Step.Time(Duration.ofSeconds(random.nextInt(400)))));
    possible.put(Step.Letter.REPEATED, List.of(new Step.Repeated(random.nextInt(12))));
    possible
        .computeIfAbsent(Step.Letter.COMMAND, letter -> new ArrayList<>())
        .addAll(registrations(sim));
    int sum = possible.keySet().stream().mapToInt(RandomWalk::weight).sum();
    int drawn = random.nextInt(sum);
    for (Map.Entry<Step.Letter, List<Step>> entry : possible.entrySet()) {
      drawn -= weight(entry.getKey());
      if (drawn < 0) {
        return drawn(entry.getValue());
      }
    }
    throw new IllegalStateException("weights do not add up to " + sum);
  }

  /** How often a letter is drawn, in relation to the others. */
  private static int weight(Step.Letter letter) {
    return switch (letter) {
      case CLAIM -> 4;
      case STATUS, REPEATED, NODE, COMMAND, TIME -> 2;
      case UNMOUNTED -> 3;
      case GONE, UNMOUNT_FAILED, CONTROLLER, NODE_PLUGIN, LATE_REPORT, RESTART -> 1;
      case ANSWER -> 12;
      case DELIVERY -> 50;
    };
  }

  private Step drawn(List<Step> from) {
    List<Step> good = from.stream().filter(RandomWalk::good).toList();
    boolean choosesGood = !good.isEmpty() && random.nextInt(10) < 7;
    List<Step> left = choosesGood ? good : from;
    return left.get(random.nextInt(left.size()));
  }

  /** Whether a step lets things go on; were all equal, hardly anything would ever be granted. */
  private static boolean good(Step step) {
    if (step instanceof Step.Answer answer) {
      return answer.ending() == Ending.OK;
    } else if (step instanceof Step.Node node) {
      return node.status() == NodeStatus.READY;
    } else if (step instanceof Step.Controller controller) {
      return controller.healthy();
    } else if (step instanceof Step.NodePlugin plugin) {
      return plugin.tellsId();
    } else if (step instanceof Step.Status status) {
      return status.status() == ClientStatus.RUNNING;
    } else if (step instanceof Step.Operator operator) {
      return !(operator.body() instanceof Command.PausePlugin)
          && !(operator.body() instanceof Command.DeregisterVolume);
    }
    return true;
  }

  private List<Step> registrations(Sim sim) {
    VolumeSpec spec = setup.volumes().get(random.nextInt(setup.volumes().size()));
    boolean registered = !sim.streams().claims(spec.volume()).values(ClaimTables.VOLUMES).isEmpty();
    Step register = new Step.Operator(new Command.RegisterVolume(spec));
    Step deregister =
        new Step.Operator(
            new Command.DeregisterVolume(spec.namespace(), spec.volume(), random.nextBoolean()));
    // Without a volume nothing happens: it comes back soon.
    return registered ? List.of(register, deregister) : Collections.nCopies(50, register);
  }

  private Step claim(Sim sim) {
    List<Alloc> alive =
        sim.clients().allocs().stream().filter(alloc -> !alloc.over() && !alloc.gone()).toList();
    boolean known = alive.size() >= setup.allocs() || (!alive.isEmpty() && random.nextInt(3) == 0);
    Alloc alloc = known ? alive.get(random.nextInt(alive.size())) : null;
    VolumeSpec spec = setup.volumes().get(random.nextInt(setup.volumes().size()));
    AccessMode access =
        random.nextInt(30) == 0
            ? one(List.of(AccessMode.values()))
            : one(spec.capabilities()).access();
    return new Step.Claim(
        alloc == null ? "a" + ++allocs : alloc.id(),
        spec.volume(),
        alloc == null ? setup.nodes().get(random.nextInt(setup.nodes().size())) : alloc.node(),
        random.nextInt(3) > 0 ? ClaimMode.WRITE : ClaimMode.READ,
        access,
        alloc == null ? random.nextInt(3) == 0 : alloc.promises());
  }
}
