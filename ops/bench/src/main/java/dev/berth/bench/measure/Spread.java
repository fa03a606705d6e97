package dev.berth.bench.measure;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What several values say together. The median and the median absolute deviation: on a machine that
 * others use some repetitions are far off, and a mean would follow them.
 *
 * @param count how many values (count)
 * @param median the middle one, or between the two middle ones
 * @param min smallest
 * @param max largest
 * @param deviation median of the distances from the median
 */
public record Spread(int count, double median, double min, double max, double deviation) {
  /**
   * The spread of some values.
   *
   * @throws IllegalArgumentException when there are none
   */
  public static Spread of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      throw new IllegalArgumentException("values is empty: a spread needs at least one");
    }
    double median = middle(sorted);
    double[] distances =
        Arrays.stream(sorted).map(value -> Math.abs(value - median)).sorted().toArray();
    return new Spread(
        sorted.length, median, sorted[0], sorted[sorted.length - 1], middle(distances));
  }

  /**
   * The spread of what repetitions gave.
   *
   * @throws IllegalArgumentException when there are none
   */
  public static <R> Spread of(List<Interleaving.Measured<R>> measured, ToDoubleFunction<R> value) {
    return of(measured.stream().map(it -> value.applyAsDouble(it.result())).toList());
  }

  private static double middle(double[] sorted) {
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
