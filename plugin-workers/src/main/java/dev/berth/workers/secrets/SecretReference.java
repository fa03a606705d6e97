package dev.berth.workers.secrets;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A reference in the notation of Kafka's config providers: {@code ${provider:path:key}} or {@code
 * ${provider:key}}.
 *
 * @param text as written
 * @param provider name of the provider
 * @param path where the provider looks; empty when none is given
 * @param key what it looks for
 */
public record SecretReference(String text, String provider, String path, String key) {

  /** The pattern of Kafka's {@code ConfigTransformer}. */
  static final Pattern PATTERN = Pattern.compile("\\$\\{([^}]*?):(([^}]*?):)?([^}]*?)\\}");

  static SecretReference of(MatchResult match) {
    String path = match.group(3);
    return new SecretReference(
        match.group(), match.group(1), path == null ? "" : path, match.group(4));
  }

  @Override
  public String toString() {
    return text;
  }
}
