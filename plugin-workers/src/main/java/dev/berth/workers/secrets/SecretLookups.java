package dev.berth.workers.secrets;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;

/** The lookups for one call, with all values seen and all references that led nowhere. */
final class SecretLookups {

  private final SecretSource source;
  private final List<String> values = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private final List<SecretReference> missed = new ArrayList<>();

  SecretLookups(SecretSource source) {
    this.source = source;
  }

  /** Returns a text with its references replaced. */
  String replace(String text) {
    Matcher matcher = SecretReference.PATTERN.matcher(text);
    if (!matcher.find()) {
      return text;
    }
    String replaced =
        matcher.replaceAll(match -> Matcher.quoteReplacement(value(SecretReference.of(match))));
    values.add(replaced);
    return replaced;
  }

  List<String> values() {
    return values;
  }

  List<String> missing() {
    return missing;
  }

  List<SecretReference> missed() {
    return missed;
  }

  private String value(SecretReference reference) {
    SecretSource.Lookup lookup = source.find(reference);
    if (lookup instanceof SecretSource.Lookup.Missing none) {
      missing.add(reference + ": " + none.why());
      missed.add(reference);
      return "";
    }
    String value = ((SecretSource.Lookup.Found) lookup).value();
    values.add(value);
    return value;
  }
}
