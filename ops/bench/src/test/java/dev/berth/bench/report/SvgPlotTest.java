package dev.berth.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SvgPlotTest {

  @Test
  @DisplayName("a plot is the same text each time: axes, a line, its spreads and its name")
  void plot() {
    assertThat(SvgPlot.of(Reports.plot()))
        .isEqualTo(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="714" height="400" font-family="sans-serif" font-size="12">
            <rect width="714" height="400" fill="#ffffff"/>
            <text x="80" y="24" font-size="15">Time &amp; size</text>
            <line x1="80.0" y1="40" x2="80.0" y2="340" stroke="#dddddd"/>
            <text x="80.0" y="358" text-anchor="middle">1</text>
            <line x1="300.0" y1="40" x2="300.0" y2="340" stroke="#dddddd"/>
            <text x="300.0" y="358" text-anchor="middle">10</text>
            <line x1="520.0" y1="40" x2="520.0" y2="340" stroke="#dddddd"/>
            <text x="520.0" y="358" text-anchor="middle">100</text>
            <line x1="80" y1="340.0" x2="520" y2="340.0" stroke="#dddddd"/>
            <text x="72" y="344.0" text-anchor="end">0</text>
            <line x1="80" y1="240.0" x2="520" y2="240.0" stroke="#dddddd"/>
            <text x="72" y="244.0" text-anchor="end">1</text>
            <line x1="80" y1="140.0" x2="520" y2="140.0" stroke="#dddddd"/>
            <text x="72" y="144.0" text-anchor="end">2</text>
            <line x1="80" y1="40.0" x2="520" y2="40.0" stroke="#dddddd"/>
            <text x="72" y="44.0" text-anchor="end">3</text>
            <text x="300" y="384" text-anchor="middle">claims (count)</text>
            <text x="18" y="190" text-anchor="middle" transform="rotate(-90 18 190)">time (µs)</text>
            <polyline points="80.0,240.0 520.0,140.0" fill="none" stroke="#0072b2" stroke-width="2"/>
            <line x1="80.0" y1="290.0" x2="80.0" y2="190.0" stroke="#0072b2"/>
            <circle cx="80.0" cy="240.0" r="3" fill="#0072b2"/>
            <line x1="520.0" y1="190.0" x2="520.0" y2="40.0" stroke="#0072b2"/>
            <circle cx="520.0" cy="140.0" r="3" fill="#0072b2"/>
            <line x1="528" y1="46" x2="548" y2="46" stroke="#0072b2" stroke-width="4"/>
            <text x="554" y="50">claim</text>
            </svg>
            """);
  }

  @Test
  @DisplayName("an axis has a few round numbers around what it shows")
  void axes() {
    assertThat(AxisTicks.of(Plot.Scale.LINEAR, 0, 6).marks())
        .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    assertThat(AxisTicks.of(Plot.Scale.LINEAR, 0, 0.21).marks()).hasSizeBetween(3, 7);
    assertThat(AxisTicks.of(Plot.Scale.LOGARITHMIC, 2, 300).marks())
        .isEqualTo(List.of(1.0, 10.0, 100.0, 1000.0));
    assertThat(AxisTicks.of(Plot.Scale.LOGARITHMIC, 1, 100).place(10)).isEqualTo(0.5);
  }

  @Test
  @DisplayName("lines differ in colour or dashes, and the picture is as wide as its longest name")
  void many() {
    String name = "volumes with a controller, bare hop, no row read";
    List<Plot.Series> lines =
        IntStream.rangeClosed(1, 9)
            .mapToObj(i -> new Plot.Series(name, List.of(new Plot.Point(1, i, i, i))))
            .toList();
    String svg =
        SvgPlot.of(new Plot("m.svg", "m", axis(Plot.Scale.LINEAR), axis(Plot.Scale.LINEAR), lines));
    assertThat(svg.lines().filter(line -> line.startsWith("<polyline")).map(SvgPlotTest::look))
        .hasSize(9)
        .doesNotHaveDuplicates();
    assertThat(svg).contains("width=\"%d\"".formatted(554 + 8 * name.length()));
  }

  private static String look(String line) {
    return line.substring(line.indexOf("fill="));
  }

  @Test
  @DisplayName("an axis without numbers is an axis all the same")
  void empty() {
    Plot nothing =
        new Plot("e.svg", "e", axis(Plot.Scale.LOGARITHMIC), axis(Plot.Scale.LINEAR), List.of());
    assertThat(SvgPlot.of(nothing)).startsWith("<svg ").endsWith("</svg>\n").doesNotContain("NaN");
  }

  private static Plot.Axis axis(Plot.Scale scale) {
    return new Plot.Axis("x", scale);
  }
}
