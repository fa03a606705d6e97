package dev.berth.bench.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A key that is written anew for each volume, with its names in place of the sample's. */
final class KeyStencil {
  private final List<Function<TableVolume, String>> parts = new ArrayList<>();

  /**
   * Cuts one.
   *
   * @param key key of the sample
   * @param names its names; where two begin, the earlier one of these is meant
   */
  KeyStencil(String key, List<SampleName> names) {
    int literal = 0;
    int at = 0;
    while (at < key.length()) {
      int here = at;
      Optional<SampleName> name =
          names.stream().filter(it -> key.startsWith(it.text(), here)).findFirst();
      if (name.isPresent()) {
        addLiteral(key.substring(literal, at));
        parts.add(name.get().of());
        at += name.get().text().length();
        literal = at;
      } else {
        at++;
      }
    }
    addLiteral(key.substring(literal));
  }

  private void addLiteral(String text) {
    if (!text.isEmpty()) {
      parts.add(volume -> text);
    }
  }

  /** The key of a volume. */
  String of(TableVolume volume) {
    StringBuilder key = new StringBuilder(64);
    for (Function<TableVolume, String> part : parts) {
      key.append(part.apply(volume));
    }
    return key.toString();
  }
}
