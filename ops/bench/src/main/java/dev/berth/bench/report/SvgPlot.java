package dev.berth.bench.report;

import java.math.BigDecimal;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** A plot as SVG: the same plot gives the same text, so that a report's changes can be read. */
final class SvgPlot {
  private static final int HEIGHT = 400;
  private static final int LEFT = 80;
  private static final int PLOTTED = 440;
  private static final int RIGHT = LEFT + PLOTTED;

  /** Of a legend, and what a letter of it takes: wide enough for most fonts. */
  private static final int LEGEND = 34;

  private static final int LETTER = 8;
  private static final int TOP = 40;
  private static final int BOTTOM = 60;

  /** Told apart by everybody, also in print (Okabe and Ito). */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000");

  /** For the lines after those with each colour, and so on. */
  private static final List<String> DASHES =
      List.of("", " stroke-dasharray=\"6 4\"", " stroke-dasharray=\"2 3\"");

  private final Plot plot;
  private final AxisTicks x;
  private final AxisTicks y;
  private final Formatter svg = new Formatter(new StringBuilder(), Locale.ROOT);

  private SvgPlot(Plot plot) {
    this.plot = plot;
    x = ticks(plot.x(), Plot.Point::x, Plot.Point::x);
    y = ticks(plot.y(), Plot.Point::low, Plot.Point::high);
  }

  static String of(Plot plot) {
    return new SvgPlot(plot).text();
  }

  private AxisTicks ticks(
      Plot.Axis axis, ToDoubleFunction<Plot.Point> low, ToDoubleFunction<Plot.Point> high) {
    return AxisTicks.of(axis.scale(), numbers(low).min().orElse(0), numbers(high).max().orElse(1));
  }

  private DoubleStream numbers(ToDoubleFunction<Plot.Point> of) {
    return plot.series().stream().flatMap(series -> series.points().stream()).mapToDouble(of);
  }

  private String text() {
    svg.format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"12\">\n",
        width(), HEIGHT);
    svg.format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width(), HEIGHT);
    svg.format("<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>\n", LEFT, escaped(plot.title()));
    axes();
    for (int i = 0; i < plot.series().size(); i++) {
      series(
          plot.series().get(i),
          COLOURS.get(i % COLOURS.size()),
          DASHES.get(i / COLOURS.size() % DASHES.size()),
          TOP + 10 + i * 20);
    }
    svg.format("</svg>\n");
    return svg.toString();
  }

  private void axes() {
    for (double mark : x.marks()) {
      svg.format(
          "<line x1=\"%1$.1f\" y1=\"%2$d\" x2=\"%1$.1f\" y2=\"%3$d\" stroke=\"#dddddd\"/>\n",
          across(mark), TOP, HEIGHT - BOTTOM);
      svg.format(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
          across(mark), HEIGHT - BOTTOM + 18, label(mark));
    }
    for (double mark : y.marks()) {
      svg.format(
          "<line x1=\"%2$d\" y1=\"%1$.1f\" x2=\"%3$d\" y2=\"%1$.1f\" stroke=\"#dddddd\"/>\n",
          down(mark), LEFT, RIGHT);
      svg.format(
          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
          LEFT - 8, down(mark) + 4, label(mark));
    }
    svg.format(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
        (LEFT + RIGHT) / 2, HEIGHT - 16, escaped(plot.x().label()));
    svg.format(
        "<text x=\"18\" y=\"%1$d\" text-anchor=\"middle\" transform=\"rotate(-90 18"
            + " %1$d)\">%2$s</text>\n",
        (TOP + HEIGHT - BOTTOM) / 2, escaped(plot.y().label()));
  }

  private void series(Plot.Series series, String colour, String dashes, int legend) {
    String points =
        series.points().stream()
            .map(
                point ->
                    String.format(Locale.ROOT, "%.1f,%.1f", across(point.x()), down(point.y())))
            .collect(Collectors.joining(" "));
    svg.format(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
        points, colour, dashes);
    for (Plot.Point point : series.points()) {
      svg.format(
          "<line x1=\"%1$.1f\" y1=\"%2$.1f\" x2=\"%1$.1f\" y2=\"%3$.1f\" stroke=\"%4$s\"/>\n",
          across(point.x()), down(point.low()), down(point.high()), colour);
      svg.format(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
          across(point.x()), down(point.y()), colour);
    }
    svg.format(
        "<line x1=\"%1$d\" y1=\"%2$d\" x2=\"%3$d\" y2=\"%2$d\" stroke=\"%4$s\" stroke-width=\"4\"%5$s/>\n",
        RIGHT + 8, legend - 4, RIGHT + 28, colour, dashes);
    svg.format(
        "<text x=\"%d\" y=\"%d\">%s</text>\n", RIGHT + LEGEND, legend, escaped(series.name()));
  }

  /** So wide that the longest name of the legend is seen. */
  private int width() {
    int longest = plot.series().stream().mapToInt(one -> one.name().length()).max().orElse(0);
    return RIGHT + LEGEND + Math.max(20, longest) * LETTER;
  }

  private double across(double number) {
    return LEFT + x.place(number) * PLOTTED;
  }

  private double down(double number) {
    return HEIGHT - BOTTOM - y.place(number) * (HEIGHT - TOP - BOTTOM);
  }

  /** Numbers of an axis are round: as short as they are. */
  private static String label(double mark) {
    return Math.abs(mark) >= 1e6
        ? String.format(Locale.ROOT, "%.0e", mark)
        : new BigDecimal(String.format(Locale.ROOT, "%.6g", mark))
            .stripTrailingZeros()
            .toPlainString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
