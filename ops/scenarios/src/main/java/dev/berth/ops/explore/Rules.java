package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStep;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.ClaimsEffect;
import dev.berth.streams.claims.ClaimsEvent;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.State;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * What must hold of a simulated world after every step: the standing invariants of scenario files,
 * and what the deciders promise of their tables.
 */
final class Rules {
  private static final int MOST = 1_000_000;

  private final Sim sim;
  private final Deciders deciders;
  private final Set<Looked> well = new HashSet<>();

  /** What the rules look at; the volume is empty for the lanes. */
  private record Looked(String volume, Rows rows, List<Provider.Attached> attached) {}

  Rules(Sim sim, Deciders deciders) {
    this.sim = sim;
    this.deciders = deciders;
  }

  /** Looks at everything. What was found well once is well when it comes again. */
  void check() {
    for (VolumeSpec volume : sim.setup().volumes()) {
      Rows rows = sim.streams().claims(volume.volume());
      Looked looked = new Looked(volume.volume(), rows, sim.provider().attached());
      if (!well.contains(looked)) {
        check(volume, rows);
        note(looked);
      }
    }
    Looked looked = new Looked("", sim.streams().lanes(), List.of());
    if (!well.contains(looked)) {
      LaneRules.check(sim.streams().lanes(), sim::breaks);
      note(looked);
    }
  }

  private void note(Looked looked) {
    if (sim.broken().isEmpty()) {
      if (well.size() >= MOST) {
        well.clear();
      }
      well.add(looked);
    }
  }

  private void check(VolumeSpec volume, Rows rows) {
    capacityIsKept(volume, rows);
    whatIsGrantedIsAttached(volume, rows);
    whatIsAttachedHasARow(volume, rows);
    noDetachUnderAClaim(volume, rows);
    everyClaimHasAReason(rows);
    indexesFollowFromRows(volume, rows);
  }

  /** Looks at one decision about a volume. */
  void decided(Rows before, ClaimsEvent event) {
    Rows after = sim.streams().claims(event.key().volume());
    if (event instanceof ClaimsEvent.Stated) {
      changesNothing(after, event, "heard again");
    }
    if (!sim.prompt() && !after.equals(before)) {
      Deciders.Decided<ClaimsEffect> look =
          changesNothing(
              after, new ClaimsEvent.Look(event.key(), "test", false), "a look after " + event);
      if (!look.effects().isEmpty()) {
        sim.breaks("a look after " + event + " causes " + look.effects());
      }
    }
  }

  private Deciders.Decided<ClaimsEffect> changesNothing(Rows rows, ClaimsEvent event, String what) {
    Deciders.Decided<ClaimsEffect> decided =
        deciders.claims(
            rows,
            sim.streams().volumesView(),
            event,
            sim.streams().now(),
            sim.streams().policies());
    if (!decided.after().equals(rows)) {
      sim.breaks(what + ": " + event + " changes rows");
    }
    return decided;
  }

  private void capacityIsKept(VolumeSpec spec, Rows rows) {
    VolumeKey key = VolumeKey.parse(spec.key());
    Volume volume = rows.get(ClaimTables.VOLUMES, key.toString());
    List<Claim> counting = rows.values(ClaimTables.CLAIMS).stream().filter(Claim::counts).toList();
    AccessMode mode = volume == null ? null : volume.access();
    long writers = counting.stream().filter(claim -> claim.ask().writes()).count();
    boolean kept =
        mode == null
            ? counting.isEmpty()
            : switch (mode) {
              case SINGLE_NODE_READER, SINGLE_NODE_WRITER -> counting.size() < 2;
              case MULTI_NODE_READER -> writers == 0;
              case MULTI_NODE_SINGLE_WRITER -> writers < 2;
              case MULTI_NODE_MULTI_WRITER -> true;
            };
    if (!kept) {
      sim.breaks("more is claimed than " + mode + " allows: " + counting);
    }
    if (sim.setup().singleNode(spec.volume()) && attachedTo(spec) > 1) {
      sim.breaks("a single-node volume is attached twice: " + sim.provider());
    }
  }

  private long attachedTo(VolumeSpec spec) {
    return sim.provider().attached().stream()
        .filter(one -> one.volume().equals(spec.externalId()))
        .count();
  }

  /** What was granted is attached, and on one node when no more may have it. */
  private void whatIsGrantedIsAttached(VolumeSpec spec, Rows rows) {
    Set<String> nodes = new TreeSet<>();
    for (Claim claim : rows.values(ClaimTables.CLAIMS)) {
      if (claim.granted() && claim.ending() == null) {
        nodes.add(claim.node());
        Attachment use = rows.get(ClaimTables.ATTACHMENTS, claim.key().of(claim.node()));
        String machine = use == null ? null : use.externalNode();
        boolean attached =
            use != null
                && (!use.published() || sim.provider().isAttached(use.externalVolume(), machine));
        if (!attached) {
          sim.breaks("granted and not attached: " + claim + " by " + sim.provider());
        }
      }
    }
    if (nodes.size() > 1 && sim.setup().singleNode(spec.volume())) {
      sim.breaks("a single-node volume is granted on nodes " + nodes);
    }
  }

  /** Nothing is freed before its detach is known: what is attached has a row. */
  private void whatIsAttachedHasARow(VolumeSpec spec, Rows rows) {
    List<Attachment> uses = rows.values(ClaimTables.ATTACHMENTS);
    sim.provider().attached().stream()
        .filter(one -> one.volume().equals(spec.externalId()))
        .filter(one -> uses.stream().noneMatch(use -> mayBe(use, one)))
        .forEach(one -> sim.breaks("attached and forgotten: " + one));
  }

  private static boolean mayBe(Attachment use, Provider.Attached one) {
    String machine = use.externalNode();
    return machine == null ? use.node().equals(one.node()) : machine.equals(one.machine());
  }

  private void noDetachUnderAClaim(VolumeSpec spec, Rows rows) {
    for (Attachment use : rows.values(ClaimTables.ATTACHMENTS)) {
      if (use.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
        sim.countingOn(spec.volume(), use.node()).stream()
            .filter(claim -> claim.granted() && claim.ending() == null)
            .forEach(claim -> sim.breaks("a detach is asked for under " + claim));
      }
      if (use.state() == AttachmentState.DETACHING && use.request() == null) {
        sim.breaks("detaching without a call: " + use);
      }
    }
  }

  /** Every claim is taken, waiting with a reason, on its way out, or told to an operator. */
  private void everyClaimHasAReason(Rows rows) {
    List<Claim> all = rows.values(ClaimTables.CLAIMS);
    for (Claim claim : all) {
      Attachment use = rows.get(ClaimTables.ATTACHMENTS, claim.key().of(claim.node()));
      boolean asked = claim.request() != null || (use != null && use.request() != null);
      if (claim.hold() == null && !asked && !explained(all, claim)) {
        sim.breaks("nothing explains " + claim);
      }
    }
  }

  private static boolean explained(List<Claim> all, Claim claim) {
    return switch (claim.state()) {
      case WAITING -> all.stream().anyMatch(Claim::counts);
      case TAKEN -> claim.granted();
      case UNPUBLISHING -> !done(claim.nodeStep());
      case NODE_DETACHED ->
          all.stream()
              .anyMatch(
                  other ->
                      other.node().equals(claim.node())
                          && other.state() == ClaimState.UNPUBLISHING);
      case RESERVING, CONTROLLER_DETACHED -> false;
    };
  }

  private static boolean done(NodeStep step) {
    return step != NodeStep.OPEN && step != NodeStep.FAILED;
  }

  private void indexesFollowFromRows(VolumeSpec spec, Rows rows) {
    Set<String> byNode = new TreeSet<>();
    rows.scan(ClaimTables.BY_NODE, "").forEach(row -> byNode.add(row.key()));
    Set<String> expected = new TreeSet<>();
    rows.values(ClaimTables.CLAIMS)
        .forEach(claim -> expected.add(claim.node() + "/" + claim.key().of(claim.alloc())));
    if (!byNode.equals(expected)) {
      sim.breaks("the index by node is " + byNode + " and not " + expected);
    }
    List<State.Entry<dev.berth.streams.claims.Wake>> wakes = rows.scan(ClaimTables.WAKES, "");
    List<State.Entry<dev.berth.streams.claims.Wake>> due = rows.scan(ClaimTables.DUE, "");
    boolean agree =
        wakes.size() == due.size()
            && (wakes.isEmpty()
                || (Objects.equals(wakes.get(0).value(), due.get(0).value())
                    && due.get(0)
                        .key()
                        .equals(ClaimTables.dueKey(wakes.get(0).value().at(), spec.key()))));
    if (!agree) {
      sim.breaks("the wake-up of " + spec.key() + " is " + wakes + " and its index " + due);
    }
  }
}
