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
  private static final String CANNOT_REPLACE =
      "plugin and external id cannot be replaced while the volume has claims";

  private Registration() {}

  static void register(VolumeDraft v, Volume.Origin from, VolumeSpec spec) {
    Volume volume = v.volume();
    String invalid = SpecCheck.problem(spec);
    if (invalid != null) {
      refuse(v, from, Refusal.INVALID, invalid);
    } else if (volume == null) {
      String request = reserve(v, spec);
      v.put(new Volume(spec, VolumeState.PENDING, from, null, request, v.now(), null, null));
    } else if (volume.reservation() != null) {
      refuse(v, from, Refusal.IN_USE, beingDecided(volume));
    } else if (volume.state() == VolumeState.DEREGISTERING) {
      refuse(
          v,
          from,
          Refusal.IN_USE,
          "the volume is being deregistered: try again when its last claim is released");
    } else if (sameProviderVolume(volume.spec(), spec)) {
      accept(v, volume, spec, from);
    } else if (inUse(v)) {
      refuse(v, from, Refusal.IN_USE, CANNOT_REPLACE);
    } else {
      String request = reserve(v, spec);
      v.put(volume.proposing(new Volume.Proposal(spec, from), request));
    }
  }

  private static String beingDecided(Volume volume) {
    Volume.Proposal proposed = volume.proposed();
    Volume.Origin origin = proposed == null ? volume.origin() : proposed.origin();
    return "a registration by " + origin.by() + " is being decided: try again";
  }

  private static boolean inUse(VolumeDraft v) {
    return !v.claims().isEmpty() || !v.attachments().isEmpty();
  }

  /** The external id is the volume's own: the registration holds. */
  static void reserved(VolumeDraft v, String request) {
    Volume volume = awaiting(v, request);
    if (volume == null) {
      return;
    }
    Volume.Proposal proposed = volume.proposed();
    if (proposed == null) {
      accept(v, volume, volume.spec(), volume.origin());
    } else if (inUse(v)) {
      // Claimed while the lanes were asked: the rows hold on to the provider volume they use.
      release(v, proposed.spec());
      v.put(volume.withoutProposal());
      refuse(v, proposed.origin(), Refusal.IN_USE, CANNOT_REPLACE);
    } else {
      release(v, volume.spec());
      accept(v, volume, proposed.spec(), proposed.origin());
    }
  }

  /** The external id is another volume's: the registration is refused. */
  static void taken(VolumeDraft v, String request, String externalVolume, String holder) {
    Volume volume = awaiting(v, request);
    if (volume == null) {
      return;
    }
    Volume.Proposal proposed = volume.proposed();
    if (proposed == null) {
      v.removeVolume();
    } else {
      v.put(volume.withoutProposal());
    }
    refuse(
        v,
        proposed == null ? volume.origin() : proposed.origin(),
        Refusal.EXTERNAL_ID_TAKEN,
        "external id "
            + externalVolume
            + " of plugin "
            + (proposed == null ? volume.spec() : proposed.spec()).plugin()
            + " is registered as "
            + holder
            + ": deregister that volume first");
  }

  /** The volume, if it waits for the answer to this request and no other. */
  private static @Nullable Volume awaiting(VolumeDraft v, String request) {
    Volume volume = v.volume();
    return volume != null && request.equals(volume.reservation()) ? volume : null;
  }

  static void deregister(VolumeDraft v, Volume.Origin from, boolean force) {
    Volume volume = v.volume();
    String command = "DeregisterVolume";
    if (volume == null || volume.state() == VolumeState.PENDING) {
      v.answer(from, command, Refusal.NOT_FOUND, "volume " + v.key() + " is not registered");
    } else if (volume.reservation() != null) {
      v.answer(from, command, Refusal.IN_USE, beingDecided(volume));
    } else if (!inUse(v)) {
      remove(v, volume);
      v.answer(from, command, null, "deregistered");
    } else if (!force) {
      v.answer(
          from,
          command,
          Refusal.IN_USE,
          Counted.are(v.claims().size(), "claim")
              + " not released: end what is live, or use force once no alloc is");
    } else if (v.claims().stream().anyMatch(Registration::wanted)) {
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

  /** Whether a live alloc uses or awaits the volume, be it behind a row of its own that leaves. */
  private static boolean wanted(Claim claim) {
    return claim.ending() == null || claim.again() != null;
  }

  /** Removes a volume without rows. */
  static void remove(VolumeDraft v, Volume volume) {
    ForeignAttachments.forget(v, volume.spec().plugin());
    v.removeVolume();
    release(v, volume.spec());
    v.happened("deregistered", null, null, "");
  }

  private static String reserve(VolumeDraft v, VolumeSpec spec) {
    return v.request(spec.plugin(), new LaneRequest.ReserveExternalId(spec.externalId()));
  }

  private static void release(VolumeDraft v, VolumeSpec spec) {
    v.request(spec.plugin(), new LaneRequest.ReleaseExternalId(spec.externalId()));
  }

  private static void accept(VolumeDraft v, Volume volume, VolumeSpec spec, Volume.Origin from) {
    if (!sameProviderVolume(volume.spec(), spec)) {
      ForeignAttachments.forget(v, volume.spec().plugin());
    }
    v.put(volume.registered(spec, from));
    v.happened("registered", null, null, "");
    v.answer(from, "RegisterVolume", null, "registered");
  }

  private static void refuse(VolumeDraft v, Volume.Origin from, Refusal refusal, String message) {
    v.answer(from, "RegisterVolume", refusal, message);
  }

  private static boolean sameProviderVolume(VolumeSpec one, VolumeSpec other) {
    return one.plugin().equals(other.plugin()) && one.externalId().equals(other.externalId());
  }
}
