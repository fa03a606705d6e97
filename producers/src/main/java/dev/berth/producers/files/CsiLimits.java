package dev.berth.producers.files;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/**
 * Sizes that the CSI specification allows ("Size Limits", and the overrides at the fields). A call
 * that breaks them is refused by plugins that look.
 *
 * <p>Not held against volume ids: the specification allows 128 bytes, but well-known drivers give
 * ids that are longer.
 */
final class CsiLimits {

  /** A string (bytes). */
  static final int STRING = 128;

  /** A map, names and values together, and the list of mount flags (bytes). */
  static final int MAP = 4_096;

  /** The provider's name of a node (bytes). */
  static final int NODE_ID = 256;

  private CsiLimits() {}

  static void map(Fields fields, String field, Map<String, String> map) {
    int size = map.entrySet().stream().mapToInt(e -> bytes(e.getKey()) + bytes(e.getValue())).sum();
    within(fields, field, size, MAP);
  }

  static void list(Fields fields, String field, Collection<String> texts) {
    within(fields, field, texts.stream().mapToInt(CsiLimits::bytes).sum(), MAP);
  }

  static void string(Fields fields, String field, String text, int most) {
    within(fields, field, bytes(text), most);
  }

  private static void within(Fields fields, String field, int size, int most) {
    if (size > most) {
      fields.wrong(field, "has %d bytes; CSI allows %d: shorten it".formatted(size, most));
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
