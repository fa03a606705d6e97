package dev.berth.ops.logging;

import java.util.Locale;
import java.util.Map;

/** How the log of a process is written, {@code log.format}. */
public enum LogFormat {
  /** For people: a line of text each. */
  TEXT,
  /** For collectors: a JSON object a line, with what the text says as fields. */
  JSON;

  /** The key in the configuration of a process. */
  public static final String KEY = "log.format";

  /**
   * Reads a setting.
   *
   * @throws IllegalArgumentException naming the key, the value and the remedy when it is none
   */
  public static LogFormat parse(String value) {
    for (LogFormat format : values()) {
      if (format.word().equals(value)) {
        return format;
      }
    }
    throw new IllegalArgumentException(KEY + "=" + value + ": set text or json");
  }

  /**
   * Reads it from the settings of a process; text without one.
   *
   * @throws IllegalArgumentException as {@link #parse}
   */
  public static LogFormat of(Map<String, String> settings) {
    String value = settings.get(KEY);
    return value == null || value.isBlank() ? TEXT : parse(value.strip());
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
