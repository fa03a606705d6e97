package dev.berth.ops.command;

import dev.berth.producers.FieldRules;
import dev.berth.producers.InvalidEventException;
import dev.berth.producers.files.VolumeName;
import dev.berth.proto.api.VolumeRef;

/** A volume on the command line: {@code NAMESPACE/VOLUME}. */
final class VolumeArgument {
  private VolumeArgument() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException with the text and how to write it
   */
  static VolumeName parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' lacks its namespace: write NAMESPACE/VOLUME");
    }
    try {
      return new VolumeName(
          FieldRules.id("namespace", text.substring(0, slash)),
          FieldRules.id("volume", text.substring(slash + 1)));
    } catch (InvalidEventException e) {
      throw new IllegalArgumentException("'" + text + "': " + e.getMessage(), e);
    }
  }

  /** The same for the API. */
  static VolumeRef ref(VolumeName name) {
    return VolumeRef.newBuilder().setNamespace(name.namespace()).setVolume(name.id()).build();
  }
}
