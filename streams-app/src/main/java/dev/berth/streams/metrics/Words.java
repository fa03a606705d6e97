package dev.berth.streams.metrics;

import java.util.Locale;

/** Symbols as the API and the commands write them. */
final class Words {
  private Words() {}

  /** {@code node-lost} for NODE_LOST. */
  static String of(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
