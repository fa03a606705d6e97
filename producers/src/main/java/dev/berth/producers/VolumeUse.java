package dev.berth.producers;

import java.util.OptionalLong;

/**
 * A volume that an alloc uses.
 *
 * @param namespace namespace of the volume, no slash
 * @param volume volume id, no slash
 * @param claimGeneration the claim that is spoken of, as the reply or the claim table gave it; a
 *     statement about it leaves later claims of the same alloc alone. Empty: whichever is there
 */
public record VolumeUse(String namespace, String volume, OptionalLong claimGeneration) {

  /**
   * Checks the ids.
   *
   * @throws InvalidEventException naming field, value and remedy
   */
  public VolumeUse {
    FieldRules.id("namespace", namespace);
    FieldRules.id("volume", volume);
    if (claimGeneration.isPresent() && claimGeneration.getAsLong() < 1) {
      throw new InvalidEventException(
          "claimGeneration",
          Long.toString(claimGeneration.getAsLong()),
          "generations start at 1; leave it out to speak of whichever claim is there");
    }
  }

  /** A volume, whichever claim the alloc has on it. */
  public static VolumeUse of(String namespace, String volume) {
    return new VolumeUse(namespace, volume, OptionalLong.empty());
  }

  /** The same volume, with one claim on it. */
  public VolumeUse ofClaim(long generation) {
    return new VolumeUse(namespace, volume, OptionalLong.of(generation));
  }
}
