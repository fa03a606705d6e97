package dev.berth.streams.claims;

/** How many, for people. */
final class Counted {
  private Counted() {}

  /** {@code 1 claim is}, {@code 2 claims are}. */
  static String are(long count, String one) {
    return count == 1 ? "1 %s is".formatted(one) : "%d %ss are".formatted(count, one);
  }
}
