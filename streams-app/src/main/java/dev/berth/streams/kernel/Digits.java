package dev.berth.streams.kernel;

/** Numbers as text that sorts like them, for keys. */
public final class Digits {
  private static final String ZEROS = "0".repeat(19);

  private Digits() {}

  /**
   * A number with leading zeros. Every decision makes several, and {@code String.format} would take
   * a tenth of the stream thread's time.
   *
   * @param number number; a negative one counts as zero
   * @param digits fewest digits, 1 to 19
   */
  public static String of(long number, int digits) {
    String plain = Long.toString(Math.max(0, number));
    return plain.length() >= digits ? plain : ZEROS.substring(0, digits - plain.length()) + plain;
  }
}
