package dev.berth.streams.claims;

import java.util.Locale;

/** Modes in texts for people: as files, command lines and the API write them. */
final class Spelled {
  private Spelled() {}

  /** {@code single-node-writer}. */
  static String of(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
