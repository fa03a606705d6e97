package dev.berth.streams.kernel;

import java.util.Comparator;

/**
 * The order of keys: that of their bytes in UTF-8, in which stores keep them. {@link
 * String#compareTo} differs from it where characters beyond the basic plane meet those behind the
 * surrogates; a walk over a store and the changes not yet written to it would then pass over keys,
 * or come back to them.
 */
public enum KeyOrder implements Comparator<String> {
  /** The only one. */
  OF_STORES;

  private static final int AFTER_SURROGATES = Character.MAX_SURROGATE + 1;
  private static final int SURROGATES = AFTER_SURROGATES - Character.MIN_SURROGATE;

  @Override
  public int compare(String one, String other) {
    int common = Math.min(one.length(), other.length());
    for (int i = 0; i < common; i++) {
      char a = one.charAt(i);
      char b = other.charAt(i);
      if (a != b) {
        return rank(a) - rank(b);
      }
    }
    return one.length() - other.length();
  }

  /** Surrogates, of which characters beyond the basic plane are made, come last. */
  private static int rank(char c) {
    if (c < Character.MIN_SURROGATE) {
      return c;
    }
    return c < AFTER_SURROGATES
        ? c + Character.MAX_VALUE - Character.MAX_SURROGATE
        : c - SURROGATES;
  }
}
