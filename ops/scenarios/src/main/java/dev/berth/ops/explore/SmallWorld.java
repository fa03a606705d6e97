package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.ClaimMode;
import dev.berth.records.ClientStatus;
import dev.berth.records.NodeStatus;
import dev.berth.streams.command.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * The world that is searched: a single-node volume and a multi-node volume (or one of them), two
 * nodes, two allocs for each volume, and one plugin with a controller on a node of its own. Every
 * time of the policy is a multiple of a quarter of an hour, so that few different times are left to
 * wait.
 */
final class SmallWorld {
  private static final Duration TICK = Duration.ofMinutes(15);
  private static final String PLUGIN = "ebs";

  private final Setup setup;
  private final Alphabet alphabet;

  /**
   * A small world.
   *
   * @param single whether it has the single-node volume
   * @param multi whether it has the multi-node volume
   */
  SmallWorld(boolean single, boolean multi) {
    List<VolumeSpec> volumes = new ArrayList<>();
    List<Step.Claim> claims = new ArrayList<>();
    if (single) {
      volumes.add(Setup.volume("vS", PLUGIN, AccessMode.SINGLE_NODE_WRITER));
      claims.addAll(claims("vS", "s", AccessMode.SINGLE_NODE_WRITER, ClaimMode.WRITE));
    }
    if (multi) {
      volumes.add(
          Setup.volume(
              "vM", PLUGIN, AccessMode.MULTI_NODE_SINGLE_WRITER, AccessMode.MULTI_NODE_READER));
      claims.addAll(claims("vM", "m", AccessMode.MULTI_NODE_SINGLE_WRITER, ClaimMode.READ));
    }
    // Nodes are alike: with this alloc on the other node it is the same with their names exchanged.
    String first = claims.get(0).alloc();
    claims.removeIf(claim -> claim.alloc().equals(first) && claim.node().equals("n2"));
    setup =
        new Setup(
            volumes,
            List.of(PLUGIN),
            List.of("c1"),
            List.of("n1", "n2"),
            2 * volumes.size(),
            null,
            Map.ofEntries(
                Map.entry("rpc-timeout", "30m"),
                Map.entry("settle-margin", "0s"),
                Map.entry("backoff.first", "15m"),
                Map.entry("backoff.factor", "1"),
                Map.entry("backoff.max", "15m"),
                Map.entry("backoff.jitter", "0"),
                Map.entry("max-attempts", "2"),
                Map.entry("gc.interval", "15m"),
                Map.entry("gc.threshold", "15m"),
                Map.entry("ready-timeout", "24h"),
                Map.entry("run", "1"),
                Map.entry("breaker-failures", "1000")));
    alphabet =
        new Alphabet(
            EnumSet.complementOf(
                EnumSet.of(Step.Letter.REPEATED, Step.Letter.NODE_PLUGIN, Step.Letter.DELIVERY)),
            claims,
            List.of(ClientStatus.COMPLETE),
            List.of(
                Ending.OK,
                Ending.NOT_FOUND,
                Ending.ABORTED,
                Ending.UNAVAILABLE,
                Ending.DEADLINE,
                Ending.DEADLINE_DONE,
                Ending.INTERNAL_DONE,
                Ending.INVALID_ARGUMENT,
                Ending.ALREADY_EXISTS,
                Ending.UNIMPLEMENTED,
                Ending.LOST,
                Ending.LOST_DONE,
                Ending.LATE),
            List.of(Ending.OK, Ending.UNAVAILABLE, Ending.LOST_DONE),
            List.of(NodeStatus.READY, NodeStatus.DISCONNECTED, NodeStatus.DOWN, NodeStatus.GONE),
            TICK,
            1);
  }

  private static List<Step.Claim> claims(
      String volume, String allocs, AccessMode access, ClaimMode second) {
    return List.of(
        new Step.Claim(allocs + "1", volume, "n1", ClaimMode.WRITE, access, false),
        new Step.Claim(allocs + "1", volume, "n2", ClaimMode.WRITE, access, false),
        new Step.Claim(allocs + "2", volume, "n1", second, access, true),
        new Step.Claim(allocs + "2", volume, "n2", second, access, true));
  }

  Setup setup() {
    return setup;
  }

  Alphabet alphabet() {
    return alphabet;
  }

  /** What there is in it, in words. */
  String inWords() {
    return "volumes "
        + setup.volumes().stream().map(VolumeSpec::volume).toList()
        + ", nodes "
        + setup.nodes()
        + ", two allocs for each volume, one plugin with one controller";
  }

  Healing healing() {
    return new Healing(TICK, 40);
  }
}
