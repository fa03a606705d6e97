package dev.berth.ops.command;

import dev.berth.driver.script.Latency;
import dev.berth.producers.files.VolumeName;
import dev.berth.producers.trace.Pace;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the values of options; what it says of a wrong one is for people. */
final class OptionText {

  private OptionText() {}

  /** Makes a command and those below it read the values of their options with this. */
  static void register(CommandLine line) {
    ITypeConverter<Integer> integer = text -> number(text, Integer::valueOf);
    ITypeConverter<Long> longer = text -> number(text, Long::valueOf);
    line.registerConverter(int.class, integer);
    line.registerConverter(Integer.class, integer);
    line.registerConverter(long.class, longer);
    line.registerConverter(Long.class, longer);
    line.registerConverter(Latency.class, text -> read(text, Latency::parse));
    line.registerConverter(Pace.class, text -> read(text, Pace::parse));
    line.registerConverter(VolumeName.class, text -> read(text, VolumeArgument::parse));
    line.registerConverter(ViewFormat.class, text -> oneOf(ViewFormat.class, text));
    line.registerConverter(OutputFormat.class, text -> oneOf(OutputFormat.class, text));
  }

  private static <N> N number(String text, ITypeConverter<N> reading) throws Exception {
    try {
      return reading.convert(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          text.matches("[+-]?\\d+")
              ? "'%s' is out of range".formatted(text)
              : "'%s' is not a whole number".formatted(text));
    }
  }

  private static <T> T read(String text, Function<String, T> reading) {
    try {
      return reading.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  private static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
    for (E value : type.getEnumConstants()) {
      if (value.name().equalsIgnoreCase(text)) {
        return value;
      }
    }
    String choice =
        Arrays.stream(type.getEnumConstants())
            .map(value -> value.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(" or "));
    throw new TypeConversionException("'%s' is not %s".formatted(text, choice));
  }
}
