package dev.berth.workers.secrets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes the values of secrets out of texts. Of values that begin at the same place the longest is
 * taken out, so that no rest of it stays. Of a value of several lines (a key file) each longer line
 * counts as a value too: plugins quote them one by one. A value counts in Base64 too, and escaped
 * as in addresses, JSON, quoted texts and XML: drivers show the requests that they sent.
 */
public final class Redaction {

  private static final String INSTEAD = "[redacted]";

  /**
   * A publish context is data that the node needs, not text: a value as short as a logical unit
   * number would be damaged by a short secret that happens to look alike.
   */
  private static final int SHORTEST_IN_CONTEXT = 4;

  private static final int SHORTEST_LINE = 8;

  /**
   * What some characters are shown as by name, as regular expressions. A backslash that escapes may
   * be escaped itself: a driver quotes the JSON that it sent.
   */
  private static final Map<String, String> NAMED =
      Map.ofEntries(
          Map.entry("&", "&amp;"),
          Map.entry("<", "&lt;"),
          Map.entry(">", "&gt;"),
          Map.entry("'", "&apos;|\\\\+'"),
          Map.entry("\"", "&quot;|\\\\+\""),
          Map.entry("\\", "\\\\{4}|\\\\{2}"),
          Map.entry("/", "\\\\+/"),
          Map.entry("\n", "\\\\+n"),
          Map.entry("\r", "\\\\+r"),
          Map.entry("\t", "\\\\+t"),
          Map.entry(" ", "\\+"));

  private final @Nullable Pattern anywhere;
  private final @Nullable Pattern inContext;

  private Redaction(List<String> values) {
    this.anywhere = pattern(values, 1);
    this.inContext = pattern(values, SHORTEST_IN_CONTEXT);
  }

  /** Returns the redaction of these values; empty ones are ignored. */
  public static Redaction of(Collection<String> values) {
    return new Redaction(
        values.stream()
            .flatMap(Redaction::withItsLines)
            .flatMap(Redaction::asSent)
            .distinct()
            .sorted(comparingInt(String::length).reversed())
            .toList());
  }

  /** Returns the redaction that changes nothing. */
  public static Redaction none() {
    return new Redaction(List.of());
  }

  /** Returns a text without the values. */
  public String text(String text) {
    return replace(anywhere, text);
  }

  /** Returns a publish context without the values. Values under four characters stay: see there. */
  public Map<String, String> context(Map<String, String> context) {
    Map<String, String> clean = new HashMap<>();
    context.forEach((key, value) -> clean.put(replace(inContext, key), replace(inContext, value)));
    return clean;
  }

  @Override
  public String toString() {
    return "Redaction[values hidden]";
  }

  private static Stream<String> withItsLines(String value) {
    return Stream.concat(
        Stream.of(value, value.strip()),
        value.lines().map(String::strip).filter(line -> line.length() >= SHORTEST_LINE));
  }

  /** In Base64 a value stands whole; what else requests are made of escapes its characters. */
  private static Stream<String> asSent(String value) {
    if (value.length() < SHORTEST_IN_CONTEXT) {
      return Stream.of(value);
    }
    byte[] bytes = value.getBytes(UTF_8);
    return Stream.of(
        value,
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  private static @Nullable Pattern pattern(List<String> values, int shortest) {
    String alternatives =
        values.stream()
            .filter(value -> value.length() >= shortest)
            .map(value -> value.codePoints().mapToObj(Redaction::shown).collect(joining()))
            .collect(joining("|"));
    return alternatives.isEmpty() ? null : Pattern.compile(alternatives);
  }

  /**
   * A character as it is and as addresses, JSON, quoted texts and XML show it. Libraries differ in
   * what they escape (Go's JSON does {@code &}, an address's user info does not), so any may be.
   */
  private static String shown(int point) {
    String self = Character.toString(point);
    if (point < 128 && (Character.isLetterOrDigit(point) || "-_.".contains(self))) {
      return Pattern.quote(self);
    }
    StringBuilder percent = new StringBuilder();
    for (byte b : self.getBytes(UTF_8)) {
      percent.append("%%%02x".formatted(b));
    }
    StringBuilder unicode = new StringBuilder();
    self.chars().forEach(unit -> unicode.append("\\\\+u%04x".formatted(unit)));
    List<String> ways = new ArrayList<>(List.of("(?i:" + percent + ")", "(?i:" + unicode + ")"));
    ways.add("(?i:&#(?:" + point + "|x0*" + Integer.toHexString(point) + ");)");
    Optional.ofNullable(NAMED.get(self)).ifPresent(ways::add);
    ways.add(Pattern.quote(self));
    return "(?:" + String.join("|", ways) + ")";
  }

  private static String replace(@Nullable Pattern pattern, String text) {
    return Optional.ofNullable(pattern)
        .map(p -> p.matcher(text).replaceAll(Matcher.quoteReplacement(INSTEAD)))
        .orElse(text);
  }
}
