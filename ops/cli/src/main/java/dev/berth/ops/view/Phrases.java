package dev.berth.ops.view;

import static java.util.stream.Collectors.joining;

import dev.berth.proto.api.Capability;
import dev.berth.proto.api.Claim;
import dev.berth.proto.api.ClaimState;
import dev.berth.proto.api.Volume;
import dev.berth.proto.api.VolumeState;
import java.util.TreeMap;

/** What is said of volumes and claims in a few words. */
public final class Phrases {
  private Phrases() {}

  /** {@code 1 claim}, {@code 2 claims}. */
  public static String count(long count, String one) {
    return "%d %s%s".formatted(count, one, count == 1 ? "" : "s");
  }

  static String state(Volume volume) {
    if (volume.getState() == VolumeState.VOLUME_STATE_REGISTERED) {
      return volume.getSchedulable() ? "ready" : "unschedulable";
    }
    return MessageJson.word(volume.getState().getValueDescriptor());
  }

  /** The mode that its first claim has set. */
  static String use(Volume volume) {
    return volume.hasCurrent() ? access(volume.getCurrent()) : "";
  }

  static String capabilities(Volume volume) {
    return volume.getCapabilitiesList().stream().map(Phrases::capability).collect(joining(", "));
  }

  /** The segments that can reach it, each with its parts in order; empty when none are said. */
  static String topologies(Volume volume) {
    return volume.getTopologiesList().stream()
        .map(topology -> new TreeMap<>(topology.getSegmentsMap()))
        .map(
            segments ->
                segments.entrySet().stream()
                    .map(segment -> segment.getKey() + "=" + segment.getValue())
                    .collect(joining(" ")))
        .collect(joining(", "));
  }

  static String capability(Capability capability) {
    return access(capability)
        + " "
        + MessageJson.word(capability.getAttachment().getValueDescriptor());
  }

  private static String access(Capability capability) {
    return MessageJson.word(capability.getAccess().getValueDescriptor());
  }

  static String state(Claim claim) {
    return claim.getGranted() && claim.getState() == ClaimState.CLAIM_STATE_TAKEN
        ? "granted"
        : MessageJson.word(claim.getState().getValueDescriptor());
  }

  /** Why its next step is not taken: a hold, or who has the volume. */
  static String trouble(Claim claim) {
    if (claim.hasHold()) {
      return claim.getHold().getCode() + (claim.getStuck() ? " (stuck)" : "");
    }
    return claim.getHeldByCount() == 0 ? "" : String.join(", ", claim.getHeldByList());
  }
}
