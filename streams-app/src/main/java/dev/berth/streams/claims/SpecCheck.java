package dev.berth.streams.claims;

import dev.berth.streams.command.SecretReferences;
import dev.berth.streams.command.VolumeSpec;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whether a registration can be carried out at all. */
final class SpecCheck {
  /** CSI specification, "Size Limits": 128 bytes for a string (bytes). */
  private static final int LONGEST = 128;

  /**
   * Longest id of a provider (bytes). Beyond the limit of CSI, because drivers are: a disk of a
   * large cloud is named by the path of its resource.
   */
  private static final int LONGEST_ID = 1024;

  /**
   * The same for a map, and for the mount flags together (bytes). Rows, work and the status of
   * lanes repeat them: without a bound one volume could make records that no broker takes.
   */
  private static final int LARGEST = 4 * 1024;

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
    if (bytes(spec.externalId()) > LONGEST_ID) {
      return "externalId '"
          + spec.externalId()
          + "' is longer than "
          + LONGEST_ID
          + " bytes: give the id that the plugin answered when the volume was made";
    }
    if (spec.capabilities().isEmpty()) {
      return "capabilities is empty: name at least one pair of access and attachment mode";
    }
    String tooLarge = tooLarge(spec);
    return tooLarge == null ? plainSecret(spec) : tooLarge;
  }

  private static @Nullable String tooLarge(VolumeSpec spec) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    sizes.put("context", bytes(spec.context()));
    sizes.put("secrets", bytes(spec.secrets()));
    sizes.put("mountFlags", spec.mountFlags().stream().mapToInt(SpecCheck::bytes).sum());
    String fsType = spec.fsType();
    if (fsType != null && bytes(fsType) > LONGEST) {
      return "fsType has " + bytes(fsType) + " bytes: CSI allows " + LONGEST;
    }
    return sizes.entrySet().stream()
        .filter(size -> size.getValue() > LARGEST)
        .map(size -> size.getKey() + " has " + size.getValue() + " bytes: CSI allows " + LARGEST)
        .findFirst()
        .orElse(null);
  }

  private static int bytes(Map<String, String> texts) {
    return texts.entrySet().stream()
        .mapToInt(entry -> bytes(entry.getKey()) + bytes(entry.getValue()))
        .sum();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
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
                    + " example ${dir:/run/secrets:x}")
        .orElse(null);
  }
}
