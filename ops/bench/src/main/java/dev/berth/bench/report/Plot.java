package dev.berth.bench.report;

import java.util.List;

/**
 * A picture of measures.
 *
 * @param file name of its file, without folder
 * @param title title
 * @param x horizontal axis
 * @param y vertical axis
 * @param series lines, in the order of the legend
 */
public record Plot(String file, String title, Axis x, Axis y, List<Series> series) {
  /** Keeps a copy. */
  public Plot {
    series = List.copyOf(series);
  }

  /**
   * An axis.
   *
   * @param label what it shows, with its unit
   * @param scale how
   */
  public record Axis(String label, Scale scale) {}

  /** How an axis shows numbers. */
  public enum Scale {
    /** From zero, in equal steps. */
    LINEAR,
    /** By powers of ten; only for numbers above zero. */
    LOGARITHMIC
  }

  /**
   * A line.
   *
   * @param name name in the legend
   * @param points its points, from left to right
   */
  public record Series(String name, List<Point> points) {
    /** Keeps a copy. */
    public Series {
      points = List.copyOf(points);
    }
  }

  /**
   * A point with its spread.
   *
   * @param x place on the horizontal axis
   * @param low smallest value
   * @param y the value
   * @param high largest value
   */
  public record Point(double x, double low, double y, double high) {}
}
