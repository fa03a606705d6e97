package dev.berth.streams.claims;

import dev.berth.streams.command.SecretReferences;
import dev.berth.streams.command.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a registration can be carried out at all. */
final class SpecCheck {
  /** CSI specification, "Size Limits": strings up to 128 bytes for ids, 4 KiB for a map entry. */
  private static final int LONGEST_ID = 128;

  /** As for the reports of instances: a longer one would never have any. */
  private static final int LONGEST_PLUGIN = 256;

  private SpecCheck() {}

  /** What is wrong, with the field, its value and the remedy; null when nothing is. */
  static @Nullable String problem(VolumeSpec spec) {
    if (spec.plugin().isBlank()) {
      return "plugin is empty: name the CSI plugin that serves the volume";
    }
    if (spec.plugin().indexOf('/') >= 0) {
      return "plugin '" + spec.plugin() + "' holds a slash: use the plugin's id";
    }
    if (spec.plugin().length() > LONGEST_PLUGIN
        || spec.plugin().chars().anyMatch(Character::isISOControl)) {
      return "plugin is no id that an instance could be reported under: use at most "
          + LONGEST_PLUGIN
          + " characters and no control characters";
    }
    if (spec.externalId().isBlank()) {
      return "externalId is empty: give the provider's volume id";
    }
    if (spec.externalId().getBytes(StandardCharsets.UTF_8).length > LONGEST_ID) {
      return "externalId '"
          + spec.externalId()
          + "' is longer than "
          + LONGEST_ID
          + " bytes, the limit of CSI";
    }
    if (spec.capabilities().isEmpty()) {
      return "capabilities is empty: name at least one pair of access and attachment mode";
    }
    return plainSecret(spec);
  }

  /**
   * Whoever writes commands without the library has not been asked before. Names one only: the
   * value is not for an answer either.
   */
  private static @Nullable String plainSecret(VolumeSpec spec) {
    return spec.secrets().entrySet().stream()
        .filter(secret -> !SecretReferences.isReference(secret.getValue()))
        .map(Map.Entry::getKey)
        .min(Comparator.naturalOrder())
        .map(
            name ->
                "secrets."
                    + name
                    + " is not a reference: never give the secret itself; write ${provider:…}, for"
                    + " example ${file:/run/secrets/x}")
        .orElse(null);
  }
}
