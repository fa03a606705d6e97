package dev.berth.streams.policy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which values a setting takes.
 *
 * @param allowed the range in words, to follow "is not"
 * @param example a value that is allowed, as text
 * @param reader from text; empty when it is no such value
 * @param <T> type of the values
 */
public record Values<T>(String allowed, String example, Function<String, Optional<T>> reader) {

  private static final Pattern WHOLE = Pattern.compile("[0-9]{1,9}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(?:\\.[0-9]{1,9})?");

  /** The value that a text stands for; empty when it stands for none that is allowed. */
  public Optional<T> read(String text) {
    return reader.apply(text.strip());
  }

  static Values<Duration> duration(String least, String most, String example) {
    Duration low = DurationText.parse(least).orElseThrow();
    Duration high = DurationText.parse(most).orElseThrow();
    return new Values<>(
        "a duration from %s to %s".formatted(least, most),
        example,
        text -> DurationText.parse(text).filter(between(low, high)));
  }

  static Values<Integer> count(int least, int most, String example) {
    return new Values<>(
        "a whole number from %d to %d".formatted(least, most),
        example,
        text ->
            WHOLE.matcher(text).matches()
                ? Optional.of(Integer.valueOf(text)).filter(between(least, most))
                : Optional.empty());
  }

  static Values<Double> number(double least, double most, String example) {
    return new Values<>(
        "a number from %s to %s".formatted(plain(least), plain(most)),
        example,
        // Java alone would also read 1d, 0x1p3 and NaN.
        text ->
            DECIMAL.matcher(text).matches()
                ? Optional.of(Double.valueOf(text)).filter(between(least, most))
                : Optional.empty());
  }

  static <E extends Enum<E>> Values<E> choice(Class<E> type) {
    E[] constants = type.getEnumConstants();
    return new Values<>(
        Arrays.stream(constants).map(Values::text).collect(Collectors.joining(", ", "one of ", "")),
        text(constants[0]),
        text -> Arrays.stream(constants).filter(one -> text(one).equals(text)).findFirst());
  }

  private static String text(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String plain(double number) {
    return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
  }

  private static <T extends Comparable<T>> Predicate<T> between(T least, T most) {
    return value -> value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
  }
}
