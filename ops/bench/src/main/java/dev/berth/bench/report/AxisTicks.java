package dev.berth.bench.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Where an axis begins and ends, and which numbers stand on it.
 *
 * @param scale how it shows numbers
 * @param from its beginning
 * @param to its end, above the beginning
 * @param marks numbers that stand on it, from the smallest
 */
record AxisTicks(Plot.Scale scale, double from, double to, List<Double> marks) {
  private static final int MOST_STEPS = 6;

  AxisTicks {
    marks = List.copyOf(marks);
  }

  /** An axis that holds all of the numbers. */
  static AxisTicks of(Plot.Scale scale, double min, double max) {
    return scale == Plot.Scale.LINEAR ? linear(max) : logarithmic(min, max);
  }

  /** Where a number is, from 0 at the beginning to 1 at the end. */
  double place(double number) {
    if (scale == Plot.Scale.LINEAR) {
      return (number - from) / (to - from);
    }
    return number <= from ? 0 : Math.log10(number / from) / Math.log10(to / from);
  }

  private static AxisTicks linear(double max) {
    double step = Math.pow(10, Math.floor(Math.log10(max <= 0 ? 1 : max)));
    while (max / step > MOST_STEPS) {
      step *= 2;
    }
    while (max > 0 && max / step < MOST_STEPS / 2.0) {
      step /= 2;
    }
    List<Double> marks = new ArrayList<>();
    int steps = Math.max(1, (int) Math.ceil(max / step));
    for (int i = 0; i <= steps; i++) {
      marks.add(i * step);
    }
    return new AxisTicks(Plot.Scale.LINEAR, 0, steps * step, marks);
  }

  private static AxisTicks logarithmic(double min, double max) {
    int first = min <= 0 ? -3 : (int) Math.floor(Math.log10(min));
    int last = Math.max(first + 1, max <= 0 ? 0 : (int) Math.ceil(Math.log10(max)));
    List<Double> marks = new ArrayList<>();
    for (int power = first; power <= last; power++) {
      marks.add(Math.pow(10, power));
    }
    return new AxisTicks(Plot.Scale.LOGARITHMIC, marks.get(0), marks.get(marks.size() - 1), marks);
  }
}
