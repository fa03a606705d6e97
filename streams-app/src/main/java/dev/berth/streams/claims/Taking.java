package dev.berth.streams.claims;

import dev.berth.records.AccessMode;
import dev.berth.records.AllocFate;
import dev.berth.records.ClaimState;
import dev.berth.records.HoldCode;
import dev.berth.records.RejectCode;
import dev.berth.streams.cluster.InstanceView;
import dev.berth.streams.cluster.PluginView;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.work.Hold;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Taking a claim: the checks in their order, and first come first served among those that wait for
 * capacity.
 */
final class Taking {
  private static final Comparator<Claim> ARRIVAL =
      Comparator.comparing((Claim claim) -> claim.ask().at()).thenComparing(Claim::generation);

  private Taking() {}

  /**
   * Takes every waiting claim that fits, in the order of arrival. One that does not fit lets a
   * later one pass that does: a reader need not wait for a writer's turn.
   */
  static void serve(VolumeDraft v) {
    List<Claim> waiting =
        v.claims().stream().filter(claim -> !claim.counts()).sorted(ARRIVAL).toList();
    waiting.forEach(claim -> serve(v, claim));
  }

  private static void serve(VolumeDraft v, Claim claim) {
    Volume volume = v.claimable();
    Claim.Rejection rejection = impossible(v, claim.alloc(), claim.ask());
    if (rejection != null || volume == null) {
      reject(v, claim, rejection);
    } else if (AllocMemories.unclean(v, claim.node())) {
      Holding.show(v, v.put(claim.edit().heldBy(null).done()), notClean(v, claim), null);
    } else {
      Claim.Holder holder = Claim.Holder.of(holder(v, volume, claim.ask()));
      if (NodeLoss.down(v.node(claim)) && (holder == null || NodeSteps.waitsForLostNode(claim))) {
        // Its turn would bind the volume to a lost node, while those behind it could use it.
        NodeSteps.holdLost(v, claim.edit().heldBy(holder).done());
        return;
      }
      Claim free = Holding.unhold(v, claim, "node " + claim.node() + " is well");
      Claim shown = v.put(free.edit().heldBy(holder).done());
      if (holder == null) {
        takeOrReject(v, volume, shown);
      }
    }
  }

  /** Whether the plugin is well matters when it is a claim's turn, not while it waits for it. */
  private static void takeOrReject(VolumeDraft v, Volume volume, Claim claim) {
    Claim.Rejection rejection = unschedulable(v, volume.spec().plugin());
    if (rejection != null) {
      reject(v, claim, rejection);
    } else {
      take(v, volume, claim);
    }
  }

  private static Hold notClean(VolumeDraft v, Claim claim) {
    String message =
        "node "
            + claim.node()
            + " was fenced and may still have the volume mounted: it has to report the unmount, or"
            + " be unfenced";
    return Holding.untilEvent(v, claim, HoldCode.NODE_NOT_CLEAN, message);
  }

  private static void reject(VolumeDraft v, Claim claim, Claim.@Nullable Rejection rejection) {
    Claim.Rejection why = rejection == null ? notFound(v) : rejection;
    Leaving.reject(v, claim, why.code(), why.message());
  }

  /**
   * The checks before capacity, in the order of domain.md: the first that fails names the
   * rejection.
   *
   * @return null when all pass
   */
  static Claim.@Nullable Rejection check(VolumeDraft v, String alloc, ClaimAsk ask) {
    Claim.Rejection rejection = impossible(v, alloc, ask);
    Volume volume = v.claimable();
    return rejection != null || volume == null
        ? rejection
        : unschedulable(v, volume.spec().plugin());
  }

  /** The checks that waiting cannot change for the better. */
  private static Claim.@Nullable Rejection impossible(VolumeDraft v, String alloc, ClaimAsk ask) {
    Volume volume = v.claimable();
    if (volume == null) {
      return notFound(v);
    }
    AllocMemory memory = AllocMemories.of(v, alloc, ask.scheduler());
    if (memory != null && memory.fate() == AllocFate.TERMINAL) {
      return new Claim.Rejection(RejectCode.ALLOC_TERMINAL, "alloc " + alloc + " has ended");
    }
    if (memory != null && memory.fate() == AllocFate.GONE) {
      return new Claim.Rejection(
          RejectCode.ALLOC_UNKNOWN,
          "scheduler " + memory.scheduler() + " no longer knows alloc " + alloc);
    }
    if (volume.attachment() != null && volume.attachment() != ask.attachment()) {
      return new Claim.Rejection(
          RejectCode.MODE,
          "the volume is in use as %s, not as %s"
              .formatted(Spelled.of(volume.attachment()), Spelled.of(ask.attachment())));
    }
    if (!volume.supports(ask.access(), ask.attachment())) {
      return new Claim.Rejection(
          RejectCode.CAPABILITY,
          "the volume does not support %s with %s: it has %s"
              .formatted(
                  Spelled.of(ask.access()), Spelled.of(ask.attachment()), capabilities(volume)));
    }
    AccessMode present = volume.access() == null ? ask.access() : volume.access();
    if (AccessRules.room(present, ask.writes()) == AccessRules.Room.NEVER) {
      return new Claim.Rejection(
          RejectCode.MODE,
          "the volume is in mode %s, which takes no %s"
              .formatted(Spelled.of(present), ask.writes() ? "writer" : "reader"));
    }
    return null;
  }

  static Claim.@Nullable Rejection unschedulable(VolumeDraft v, String plugin) {
    if (!v.hasHealthyNodeInstance(plugin)) {
      return new Claim.Rejection(
          RejectCode.UNSCHEDULABLE, "plugin " + plugin + " has no healthy node instance");
    }
    PluginView record = v.plugin(plugin);
    boolean needsController = record != null && record.controllerRequired();
    if (needsController && v.controllers(plugin).stream().noneMatch(InstanceView::healthy)) {
      return new Claim.Rejection(
          RejectCode.UNSCHEDULABLE,
          "plugin " + plugin + " needs a controller and none of its controllers is healthy");
    }
    return null;
  }

  static Claim.Rejection notFound(VolumeDraft v) {
    return new Claim.Rejection(
        RejectCode.NOT_FOUND,
        "volume " + v.key() + " is not registered: register it, then claim it again");
  }

  private static String capabilities(Volume volume) {
    return volume.spec().capabilities().stream()
        .map(c -> Spelled.of(c.access()) + " with " + Spelled.of(c.attachment()))
        .collect(Collectors.joining(", "));
  }

  /** The claim that keeps another one waiting; null when there is capacity. */
  static @Nullable Claim holder(VolumeDraft v, Volume volume, ClaimAsk ask) {
    if (volume.access() == null) {
      return null;
    }
    List<Claim> counting =
        v.claims().stream()
            .filter(Claim::counts)
            .sorted(Comparator.comparing(Claim::generation))
            .toList();
    return AccessRules.holder(AccessRules.room(volume.access(), ask.writes()), counting);
  }

  private static void take(VolumeDraft v, Volume volume, Claim claim) {
    VolumeSpec spec = volume.spec();
    PluginView plugin = v.plugin(spec.plugin());
    InstanceView onNode = v.nodeInstance(spec.plugin(), claim.node());
    ClaimTerms terms =
        new ClaimTerms(
            spec.plugin(),
            spec.externalId(),
            onNode == null ? null : onNode.externalNode(),
            plugin != null && plugin.controllerRequired(),
            spec.context(),
            spec.secrets(),
            spec.fsType(),
            spec.mountFlags());
    if (volume.access() == null) {
      v.put(volume.inMode(claim.ask().access(), claim.ask().attachment()));
    }
    v.put(claim.edit().terms(terms).state(ClaimState.RESERVING, v.now()).done());
  }
}
