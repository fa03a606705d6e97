package dev.berth.workers.csi;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Sizes of csi.v1's maps of strings, whose limit holds for all keys and values together. */
public final class StringMaps {

  /** Most that csi.v1 allows a map of strings, unless it says otherwise (bytes). */
  public static final int LARGEST = 4 * 1024;

  private StringMaps() {}

  /** Returns the size of a map (bytes in UTF-8). */
  public static int bytes(Map<String, String> map) {
    return map.entrySet().stream()
        .mapToInt(entry -> bytes(entry.getKey()) + bytes(entry.getValue()))
        .sum();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
