package dev.berth.streams.claims;

import dev.berth.records.VolumeState;
import dev.berth.streams.command.Refusal;
import dev.berth.streams.command.VolumeSpec;
import dev.berth.streams.work.LaneRequest;
import org.jspecify.annotations.Nullable;

/**
 * Registering and deregistering. One provider volume (plugin, external id) is registered once,
 * whatever the namespace: the lanes, which see all volumes of a plugin, decide that.
 */
final class Registration {
  private Registration() {}

  static void register(VolumeDraft v, Volume.Origin from, VolumeSpec spec) {
    Volume volume = v.volume();
    String invalid = SpecCheck.problem(spec);
    if (invalid != null) {
      refuse(v, from, Refusal.INVALID, invalid);
    } else if (volume == null) {
      v.put(new Volume(spec, VolumeState.PENDING, from, null, v.now(), null, null));
      v.request(spec.plugin(), new LaneRequest.ReserveExternalId(spec.externalId()));
    } else if (volume.state() == VolumeState.PENDING || volume.proposed() != null) {
      refuse(
          v,
          from,
          Refusal.IN_USE,
          "a registration by " + volume.origin().by() + " is being decided: try again");
    } else if (volume.state() == VolumeState.DEREGISTERING) {
      refuse(
          v,
          from,
          Refusal.IN_USE,
          "the volume is being deregistered: try again when its last claim is released");
    } else if (sameProviderVolume(volume.spec(), spec)) {
      accept(v, volume, spec, from);
    } else if (!v.claims().isEmpty() || !v.attachments().isEmpty()) {
      refuse(
          v,
          from,
          Refusal.IN_USE,
          "plugin and external id cannot be replaced while the volume has claims");
    } else {
      v.put(volume.proposing(spec, from));
      v.request(spec.plugin(), new LaneRequest.ReserveExternalId(spec.externalId()));
    }
  }

  /** The external id is the volume's own: the registration holds. */
  static void reserved(VolumeDraft v, String externalVolume) {
    Volume volume = v.volume();
    VolumeSpec waiting = waiting(volume);
    if (volume == null || waiting == null || !waiting.externalId().equals(externalVolume)) {
      return;
    }
    if (volume.state() != VolumeState.PENDING) {
      v.request(
          volume.spec().plugin(), new LaneRequest.ReleaseExternalId(volume.spec().externalId()));
    }
    accept(v, volume, waiting, volume.origin());
  }

  /** The external id is another volume's: the registration is refused. */
  static void taken(VolumeDraft v, String externalVolume, String holder) {
    Volume volume = v.volume();
    VolumeSpec waiting = waiting(volume);
    if (volume == null || waiting == null || !waiting.externalId().equals(externalVolume)) {
      return;
    }
    if (volume.state() == VolumeState.PENDING) {
      v.removeVolume();
    } else {
      v.put(volume.withoutProposal());
    }
    refuse(
        v,
        volume.origin(),
        Refusal.EXTERNAL_ID_TAKEN,
        "external id "
            + externalVolume
            + " of plugin "
            + waiting.plugin()
            + " is registered as "
            + holder
            + ": deregister that volume first");
  }

  private static @Nullable VolumeSpec waiting(@Nullable Volume volume) {
    if (volume == null) {
      return null;
    }
    return volume.state() == VolumeState.PENDING ? volume.spec() : volume.proposed();
  }

  static void deregister(VolumeDraft v, Volume.Origin from, boolean force) {
    Volume volume = v.volume();
    String command = "DeregisterVolume";
    if (volume == null || volume.state() == VolumeState.PENDING) {
      v.answer(from, command, Refusal.NOT_FOUND, "volume " + v.key() + " is not registered");
    } else if (v.claims().isEmpty() && v.attachments().isEmpty()) {
      remove(v, volume);
      v.answer(from, command, null, "deregistered");
    } else if (!force) {
      v.answer(
          from,
          command,
          Refusal.IN_USE,
          v.claims().size()
              + " claims are not released: end them, or use force once no alloc is live");
    } else if (v.claims().stream().anyMatch(claim -> claim.ending() == null)) {
      v.answer(
          from,
          command,
          Refusal.IN_USE,
          "an alloc that uses or awaits the volume is live, judged by its client status");
    } else {
      v.put(volume.inState(VolumeState.DEREGISTERING));
      v.answer(
          from,
          command,
          null,
          "takes no new claims; the record goes when the detach work that is owed is done");
    }
  }

  /** Removes a volume without rows. */
  static void remove(VolumeDraft v, Volume volume) {
    v.removeVolume();
    v.request(
        volume.spec().plugin(), new LaneRequest.ReleaseExternalId(volume.spec().externalId()));
    v.happened("deregistered", null, null, "");
  }

  private static void accept(VolumeDraft v, Volume volume, VolumeSpec spec, Volume.Origin from) {
    v.put(volume.registered(spec, from));
    v.happened("registered", null, null, "");
    v.answer(from, "RegisterVolume", null, "registered");
  }

  private static void refuse(VolumeDraft v, Volume.Origin from, Refusal code, String message) {
    v.answer(from, "RegisterVolume", code, message);
  }

  private static boolean sameProviderVolume(VolumeSpec one, VolumeSpec other) {
    return one.plugin().equals(other.plugin()) && one.externalId().equals(other.externalId());
  }
}
