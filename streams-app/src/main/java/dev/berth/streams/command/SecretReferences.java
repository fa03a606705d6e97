package dev.berth.streams.command;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Secrets travel as references, in the notation of Kafka's config providers: {@code
 * ${provider:path:key}} or {@code ${provider:key}}. A value that is no reference would stand in
 * every table and topic that tells of the volume.
 */
public final class SecretReferences {
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{[^{}:]+:[^{}]+}");
  private static final String INSTEAD = "[no reference, removed]";

  private SecretReferences() {}

  /** Whether a text is one reference, and nothing beside it. */
  public static boolean isReference(String text) {
    return REFERENCE.matcher(text).matches();
  }

  /** The same secrets without the values that are no references. */
  public static Map<String, String> only(Map<String, String> secrets) {
    Map<String, String> kept = new TreeMap<>();
    secrets.forEach((name, value) -> kept.put(name, isReference(value) ? value : INSTEAD));
    return kept;
  }
}
