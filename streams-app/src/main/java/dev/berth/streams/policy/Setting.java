package dev.berth.streams.policy;

import java.util.Optional;

/**
 * One key of the policies.
 *
 * @param key the key as policies write it
 * @param narrowest the narrowest policy that may name it; what is decided for a plugin as a whole
 *     cannot differ between its volumes
 * @param values which values it takes
 * @param byDefault the product's default, as text
 * @param meaning what it is, in one sentence
 * @param <T> type of its values
 */
public record Setting<T>(
    String key, PolicyScope narrowest, Values<T> values, String byDefault, String meaning) {

  /** Checks that the default is a value. */
  public Setting {
    if (values.read(byDefault).isEmpty()) {
      throw new IllegalArgumentException(
          "default of " + key + ": " + byDefault + " is not " + values.allowed());
    }
  }

  /** The value that a text stands for; empty when the setting does not take it. */
  public Optional<T> read(String text) {
    return values.read(text);
  }

  T defaultValue() {
    return values.read(byDefault).orElseThrow();
  }
}
