package dev.berth.ops.explore;

import dev.berth.records.ClientStatus;
import dev.berth.records.DesiredStatus;
import dev.berth.records.EndCause;
import dev.berth.records.HoldCode;
import dev.berth.records.NodeStep;
import dev.berth.records.RejectCode;
import dev.berth.streams.claims.AllocMemory;
import dev.berth.streams.claims.Attachment;
import dev.berth.streams.claims.Claim;
import dev.berth.streams.claims.ClaimAsk;
import dev.berth.streams.claims.ClaimTables;
import dev.berth.streams.claims.Counters;
import dev.berth.streams.claims.Letter;
import dev.berth.streams.claims.Wake;
import dev.berth.streams.cluster.ClusterTables;
import dev.berth.streams.cluster.Fence;
import dev.berth.streams.cluster.NodeView;
import dev.berth.streams.work.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of one volume with everything taken out of them that no decision depends on: numbers
 * keep their order or their identity, whichever is looked at, and no more; times keep their
 * distance from now as far as it matters; words go.
 */
final class CanonicalClaims {
  /** Numbers given from now on are above all that are kept. */
  private static final long NEXT = 100;

  private static final long FIRST_ATTACHMENT = 50;
  private static final long NO_ATTACHMENT = 49;
  private static final Instant LONG_AGO = Sim.BEGIN.minus(Duration.ofDays(1));

  private final Rows rows;
  private final Rows cluster;
  private final Shift shift;
  private final Duration collectable;
  private final Map<String, String> requests = new HashMap<>();
  private final Map<Long, Long> claims = new HashMap<>();
  private final Map<Long, Long> attachments = new HashMap<>();
  private final List<Instant> asked;

  /**
   * Canonical rows, and how the requests in them are called now.
   *
   * @param rows the rows
   * @param requests new ids by old ones
   */
  record Renamed(Rows rows, Map<String, String> requests) {
    @Override
    public int hashCode() {
      return rows.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof Renamed that
              && rows.equals(that.rows)
              && requests.equals(that.requests));
    }
  }

  private CanonicalClaims(Rows rows, Rows cluster, Shift shift, Duration collectable) {
    this.rows = rows;
    this.cluster = cluster;
    this.shift = shift;
    this.collectable = collectable;
    name();
    asked =
        rows.values(ClaimTables.CLAIMS).stream()
            .flatMap(claim -> Stream.of(claim.counts() ? null : claim.ask(), claim.again()))
            .filter(Objects::nonNull)
            .map(ClaimAsk::at)
            .distinct()
            .sorted()
            .toList();
  }

  /**
   * Makes rows canonical.
   *
   * @param cluster the copy of the cluster that they are decided with
   * @param collectable age from which on a collection may act on a row
   */
  static Renamed of(Rows rows, Rows cluster, Shift shift, Duration collectable) {
    CanonicalClaims canonical = new CanonicalClaims(rows, cluster, shift, collectable);
    return new Renamed(canonical.rows(), canonical.requests);
  }

  private void name() {
    for (Attachment use : rows.values(ClaimTables.ATTACHMENTS)) {
      attachments.put(use.generation(), FIRST_ATTACHMENT + attachments.size());
      name(use.request());
    }
    rows.values(ClaimTables.CLAIMS).stream()
        .flatMap(
            claim ->
                claim.again() == null
                    ? Stream.of(claim.generation())
                    : Stream.of(claim.generation(), claim.again().generation()))
        .sorted()
        .forEach(generation -> claims.put(generation, claims.size() + 1L));
    rows.values(ClaimTables.CLAIMS).forEach(claim -> name(claim.request()));
    rows.values(ClaimTables.VOLUMES).forEach(volume -> name(volume.reservation()));
  }

  private void name(@Nullable String request) {
    if (request != null) {
      String volume = request.substring(0, request.lastIndexOf('#') + 1);
      requests.putIfAbsent(request, volume + (requests.size() + 1));
    }
  }

  private Rows rows() {
    List<Rows.Row> made = new ArrayList<>();
    for (Rows.Row row : rows.all()) {
      Object value = row.value();
      if (value instanceof Claim claim) {
        made.add(new Rows.Row(row.table(), row.key(), claim(claim)));
      } else if (value instanceof Attachment use) {
        made.add(new Rows.Row(row.table(), row.key(), attachment(use)));
      } else if (value instanceof AllocMemory memory) {
        made.add(new Rows.Row(row.table(), row.key(), memory(memory)));
      } else if (value instanceof Counters) {
        made.add(new Rows.Row(row.table(), row.key(), new Counters(NEXT, NEXT)));
      } else if (value instanceof Wake wake) {
        Wake shifted = new Wake(wake.subject(), shift.ahead(wake.at()));
        boolean index = row.table().name().equals(ClaimTables.DUE.name());
        String key = index ? ClaimTables.dueKey(shifted.at(), wake.subject()) : row.key();
        made.add(new Rows.Row(row.table(), key, shifted));
      } else {
        made.add(row);
      }
    }
    return Rows.of(made);
  }

  private Claim claim(Claim claim) {
    Long by = claim.attachmentGeneration();
    Claim.Ending ending = claim.ending();
    return new Claim(
        claim.key(),
        claim.alloc(),
        ask(claim.ask(), claim.counts() ? Sim.BEGIN : rank(claim.ask().at()), 0),
        Objects.requireNonNull(claims.get(claim.generation())),
        1,
        Sim.over(claim.client()) ? ClientStatus.COMPLETE : ClientStatus.PENDING,
        DesiredStatus.RUN,
        claim.state(),
        Sim.BEGIN,
        claim.granted(),
        ending == null
            ? null
            : new Claim.Ending(shift.ago(ending.at(), collectable), EndCause.ALLOC_TERMINAL),
        claim.terms(),
        by == null ? null : attachments.getOrDefault(by, NO_ATTACHMENT),
        // A failed unmount and one that was not heard of are one until an unmount is heard of.
        claim.nodeStep() == NodeStep.FAILED ? NodeStep.OPEN : claim.nodeStep(),
        null,
        claim.nodePublishAsked(),
        renamed(claim.request()),
        claim.requestCall(),
        claim.withdrawing(),
        claim.publishContext(),
        hold(claim.hold()),
        claim.letter() == null
            ? null
            : new Letter(code(claim.letter().code()), claim.letter().step()),
        claim.rejected() == null ? null : new Claim.Rejection(RejectCode.PLUGIN_ERROR, ""),
        claim.again() == null
            ? null
            : ask(
                claim.again(),
                rank(claim.again().at()),
                Objects.requireNonNull(claims.get(claim.again().generation()))),
        claim.heldBy(),
        hold(claim.setAside()));
  }

  /** Who asked first, and nothing else. */
  private Instant rank(Instant at) {
    return Sim.BEGIN.minusSeconds(asked.size() - asked.indexOf(at));
  }

  private static ClaimAsk ask(ClaimAsk ask, Instant at, long generation) {
    return new ClaimAsk(
        ask.scheduler(),
        "",
        ask.node(),
        ask.job(),
        ask.jobType(),
        ask.mode(),
        ask.access(),
        ask.attachment(),
        ask.stopOnDisconnect(),
        at,
        generation);
  }

  private Attachment attachment(Attachment use) {
    return new Attachment(
        use.key(),
        use.node(),
        use.plugin(),
        use.externalVolume(),
        use.externalNode(),
        Objects.requireNonNull(attachments.get(use.generation())),
        use.state(),
        Sim.BEGIN,
        use.controllerRequired(),
        use.published(),
        use.slotHeld(),
        use.access(),
        use.readOnly(),
        use.publishContext(),
        use.staging(),
        renamed(use.request()),
        use.requestCall(),
        use.withdrawing(),
        use.requestScheduler(),
        use.mayBeAttached());
  }

  private @Nullable String renamed(@Nullable String request) {
    return request == null ? null : requests.get(request);
  }

  /** A memory is older than the fence in force, or it is not. */
  private AllocMemory memory(AllocMemory memory) {
    String node = memory.uncleanNode();
    NodeView view = node == null ? null : cluster.get(ClusterTables.NODES, node);
    Fence fence = view == null ? null : view.fence();
    boolean owed = view != null && fence != null && !memory.at().isBefore(fence.owedSince());
    return new AllocMemory(
        memory.key(),
        memory.alloc(),
        memory.scheduler(),
        1,
        memory.fate(),
        node,
        owed ? CanonicalCluster.fencedAt(Objects.requireNonNull(view)) : LONG_AGO);
  }

  private @Nullable Hold hold(@Nullable Hold hold) {
    if (hold == null) {
      return null;
    }
    // How long it lasts matters where an event ends it: a time that ends it is the lanes' affair.
    boolean lasting = hold.lastsUncounted();
    return new Hold(
        code(hold.code()),
        "",
        null,
        1,
        Sim.BEGIN,
        lasting ? shift.ago(hold.lastFailure(), collectable) : Sim.BEGIN,
        lasting || hold.nextRetry() == null ? null : Shift.FAR_AHEAD,
        hold.stuck());
  }

  /** Failures of calls are one as far as decisions go. */
  static HoldCode code(HoldCode code) {
    return switch (code) {
      case CONTROLLER_ERROR, NODE_ERROR, TIMEOUT, UNIMPLEMENTED -> HoldCode.CONTROLLER_ERROR;
      default -> code;
    };
  }
}
