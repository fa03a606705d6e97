package dev.berth.producers.files;

import static java.util.stream.Collectors.joining;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Enumerations as files write them: in lower case, with dashes. */
final class Symbols {

  private Symbols() {}

  static <E extends Enum<E>> Optional<E> find(String word, E[] symbols) {
    return Stream.of(symbols).filter(symbol -> word(symbol).equals(word)).findFirst();
  }

  static String words(Enum<?>[] symbols) {
    return Stream.of(symbols).map(Symbols::word).collect(joining(", "));
  }

  static String word(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
