package dev.berth.producers;

import dev.berth.records.VolumeSpec;
import dev.berth.schemas.topics.Keys;
import java.util.regex.Pattern;

/** What a volume's registration must hold before it is worth sending. */
public final class VolumeRules {

  /** One reference in the notation of Kafka's config providers, and nothing beside it. */
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^{}:]+:[^{}]+}");

  private VolumeRules() {}

  /** Whether a text is one reference to a secret, and nothing beside it. */
  public static boolean isReference(String text) {
    return REFERENCE.matcher(text).matches();
  }

  /**
   * Returns the volume's key.
   *
   * @throws InvalidEventException naming field, value and remedy; the value of a secret is never
   *     shown
   */
  static String check(VolumeSpec spec) {
    FieldRules.id("namespace", spec.getNamespace());
    FieldRules.id("volume", spec.getVolume());
    FieldRules.id("plugin", spec.getPlugin());
    FieldRules.providerId("externalId", spec.getExternalId());
    if (spec.getCapabilities().isEmpty()) {
      throw new InvalidEventException(
          "capabilities", "are none", "give at least one pair of access and attachment mode");
    }
    spec.getSecrets()
        .forEach(
            (name, reference) -> {
              if (!isReference(reference)) {
                throw new InvalidEventException(
                    "secrets." + name,
                    "is not a reference",
                    "never give the secret itself; write ${provider:…}, for example"
                        + " ${dir:/run/secrets:x}");
              }
            });
    return Keys.volume(spec.getNamespace(), spec.getVolume());
  }
}
