package dev.berth.ops.explore;

import dev.berth.records.AccessMode;
import dev.berth.records.AttachmentState;
import dev.berth.records.ClaimState;
import dev.berth.records.CsiCall;
import dev.berth.records.NodeStep;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Volume;
import dev.berth.streams.claims.VolumeKey;
import dev.berth.streams.claims.Wake;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.kernel.State;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What must hold of the rows of one volume, and of where the provider has it attached. */
final class VolumeRules {
  private final Setup setup;
  private final VolumeSpec spec;
  private final Rows rows;
  private final List<Provider.Attached> attached;
  private final Consumer<String> broken;

  /**
   * Rules for a volume as it is now.
   *
   * @param attached where the provider has this volume attached
   * @param broken told what does not hold, in words
   */
  VolumeRules(
      Setup setup,
      VolumeSpec spec,
      Rows rows,
      List<Provider.Attached> attached,
      Consumer<String> broken) {
    this.setup = setup;
    this.spec = spec;
    this.rows = rows;
    this.attached = attached;
    this.broken = broken;
  }

  void check() {
    capacityIsKept();
    whatIsGrantedIsAttached();
    whatIsAttachedHasARow();
    noDetachUnderAClaim();
    everyClaimHasAReason();
    indexesFollowFromRows();
  }

  private void capacityIsKept() {
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
      broken.accept("more is claimed than " + mode + " allows: " + counting);
    }
    if (setup.singleNode(spec.volume()) && attached.size() > 1) {
      broken.accept("a single-node volume is attached twice: " + attached);
    }
  }

  /** What was granted is attached, and on one node when no more may have it. */
  private void whatIsGrantedIsAttached() {
    Set<String> nodes = new TreeSet<>();
    for (Claim claim : rows.values(ClaimTables.CLAIMS)) {
      if (claim.granted() && claim.ending() == null) {
        nodes.add(claim.node());
        Attachment use = rows.get(ClaimTables.ATTACHMENTS, claim.key().of(claim.node()));
        String machine = use == null ? null : use.externalNode();
        boolean there = use != null && (!use.published() || isAttached(machine));
        if (!there) {
          broken.accept("granted and not attached: " + claim + " by " + attached);
        }
      }
    }
    if (nodes.size() > 1 && setup.singleNode(spec.volume())) {
      broken.accept("a single-node volume is granted on nodes " + nodes);
    }
  }

  private boolean isAttached(@Nullable String machine) {
    return attached.stream().anyMatch(one -> one.machine().equals(machine));
  }

  /** Nothing is freed before its detach is known: what is attached has a row. */
  private void whatIsAttachedHasARow() {
    List<Attachment> uses = rows.values(ClaimTables.ATTACHMENTS);
    attached.stream()
        .filter(one -> uses.stream().noneMatch(use -> mayBe(use, one)))
        .forEach(one -> broken.accept("attached and forgotten: " + one));
  }

  private static boolean mayBe(Attachment use, Provider.Attached one) {
    String machine = use.externalNode();
    return machine == null ? use.node().equals(one.node()) : machine.equals(one.machine());
  }

  private void noDetachUnderAClaim() {
    for (Attachment use : rows.values(ClaimTables.ATTACHMENTS)) {
      if (use.requesting(CsiCall.CONTROLLER_UNPUBLISH)) {
        rows.values(ClaimTables.CLAIMS).stream()
            .filter(claim -> claim.counts() && claim.node().equals(use.node()))
            .filter(claim -> claim.granted() && claim.ending() == null)
            .forEach(claim -> broken.accept("a detach is asked for under " + claim));
      }
      if (use.state() == AttachmentState.DETACHING && use.request() == null) {
        broken.accept("detaching without a call: " + use);
      }
    }
  }

  /** Every claim is taken, waiting with a reason, on its way out, or told to an operator. */
  private void everyClaimHasAReason() {
    List<Claim> all = rows.values(ClaimTables.CLAIMS);
    for (Claim claim : all) {
      Attachment use = rows.get(ClaimTables.ATTACHMENTS, claim.key().of(claim.node()));
      boolean asked = claim.request() != null || (use != null && use.request() != null);
      if (claim.hold() == null && !asked && !explained(all, claim)) {
        broken.accept("nothing explains " + claim);
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

  private void indexesFollowFromRows() {
    Set<String> byNode = new TreeSet<>();
    rows.scan(ClaimTables.BY_NODE, "").forEach(row -> byNode.add(row.key()));
    Set<String> expected = new TreeSet<>();
    rows.values(ClaimTables.CLAIMS)
        .forEach(claim -> expected.add(claim.node() + "/" + claim.key().of(claim.alloc())));
    if (!byNode.equals(expected)) {
      broken.accept("the index by node is " + byNode + " and not " + expected);
    }
    List<State.Entry<Wake>> wakes = rows.scan(ClaimTables.WAKES, "");
    List<State.Entry<Wake>> due = rows.scan(ClaimTables.DUE, "");
    boolean agree =
        wakes.size() == due.size()
            && (wakes.isEmpty()
                || (Objects.equals(wakes.get(0).value(), due.get(0).value())
                    && due.get(0)
                        .key()
                        .equals(ClaimTables.dueKey(wakes.get(0).value().at(), spec.key()))));
    if (!agree) {
      broken.accept("the wake-up of " + spec.key() + " is " + wakes + " and its index " + due);
    }
  }
}
