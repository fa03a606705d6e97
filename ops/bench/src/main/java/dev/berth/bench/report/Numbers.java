package dev.berth.bench.report;

import dev.berth.bench.measure.Spread;
import java.util.Locale;

/** Numbers as reports show them: no more digits than say something, the same everywhere. */
final class Numbers {
  private Numbers() {}

  static String text(double number) {
    double size = Math.abs(number);
    String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return number == 0 ? "0" : String.format(Locale.ROOT, format, number);
  }

  /** A number with its unit. */
  static String text(double number, String unit) {
    return unit.isEmpty() ? text(number) : text(number) + " " + unit;
  }

  /** From the smallest to the largest. */
  static String range(Spread spread) {
    return text(spread.min()) + " .. " + text(spread.max());
  }

  /** A share as a percentage. */
  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }
}
