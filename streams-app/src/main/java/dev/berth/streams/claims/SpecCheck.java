package dev.berth.streams.claims;

import dev.berth.streams.command.VolumeSpec;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether a registration can be carried out at all. */
final class SpecCheck {
  /** CSI specification, "Size Limits": strings up to 128 bytes for ids, 4 KiB for a map entry. */
  private static final int LONGEST_ID = 128;

  /** Room for sixteen maps of that size (characters), and far below what a record may have. */
  private static final int LARGEST = 64 * 1024;

  private SpecCheck() {}

  /** What is wrong, with the field, its value and the remedy; null when nothing is. */
  static @Nullable String problem(VolumeSpec spec) {
    if (spec.plugin().isBlank()) {
      return "plugin is empty: name the CSI plugin that serves the volume";
    }
    if (spec.plugin().indexOf('/') >= 0) {
      return "plugin '" + spec.plugin() + "' holds a slash: use the plugin's id";
    }
    if (spec.externalId().isBlank()) {
      return "externalId is empty: give the provider's volume id";
    }
    if (spec.externalId().getBytes(java.nio.charset.StandardCharsets.UTF_8).length > LONGEST_ID) {
      return "externalId '"
          + spec.externalId()
          + "' is longer than "
          + LONGEST_ID
          + " bytes, the limit of CSI";
    }
    if (spec.capabilities().isEmpty()) {
      return "capabilities is empty: name at least one pair of access and attachment mode";
    }
    int size = size(spec);
    return size > LARGEST
        ? "the registration holds %d characters: %d are allowed; give a volume only what its plugin needs"
            .formatted(size, LARGEST)
        : null;
  }

  /** Each claim of the volume keeps most of it in its row. */
  private static int size(VolumeSpec spec) {
    return Stream.of(spec.context(), spec.parameters(), spec.secrets())
            .flatMap(entries -> entries.entrySet().stream())
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum()
        + spec.mountFlags().stream().mapToInt(String::length).sum()
        + spec.topologies().stream()
            .flatMap(segments -> segments.entrySet().stream())
            .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
            .sum();
  }
}
