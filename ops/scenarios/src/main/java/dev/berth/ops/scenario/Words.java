package dev.berth.ops.scenario;

import java.util.Locale;

/** How scenario files write what the product has symbols and keys for. */
public final class Words {
  private Words() {}

  /** A symbol: {@code node-detached}. */
  public static String of(Enum<?> symbol) {
    return symbol.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The symbol of a word that the grammar knows. */
  static <E extends Enum<E>> E symbol(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Key of a volume, which a file writes without its namespace when that is the default. */
  static String volumeKey(String volume) {
    return volume.contains("/") ? volume : "default/" + volume;
  }
}
