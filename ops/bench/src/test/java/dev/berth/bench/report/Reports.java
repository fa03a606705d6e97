package dev.berth.bench.report;

import dev.berth.bench.machine.Environment;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Repetition;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report that has one of everything. */
final class Reports {
  private Reports() {}

  static Report one() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("rounds", "3");
    settings.put("nodes", "100");
    return new Report(
        new Environment(
            Instant.parse("2030-01-01T00:00:00Z"),
            "0.1.0",
            "abc1234",
            "4.4.0",
            "17.0.1 Some VM",
            List.of("-Xmx3g"),
            "Linux 6 amd64",
            "Some CPU",
            2,
            24_000),
        true,
        List.of(
            new Section(
                "core",
                "What it is.",
                settings,
                List.of(
                    new Measure(
                        "decide: time",
                        "µs",
                        List.of(
                            new Repetition(1.5, 0.25),
                            new Repetition(1.7, 0.5),
                            new Repetition(1.4, null))),
                    Measure.exact("moves", "", List.of(1234.0))),
                List.of(
                    new Goal("time", Goal.Bound.AT_MOST, 2, 1.5, "µs"),
                    new Goal("ratio", Goal.Bound.AT_LEAST, 0.7, 0.5, "")),
                List.of(plot()),
                List.of("A note."),
                Duration.ofSeconds(90))));
  }

  static Plot plot() {
    return new Plot(
        "core.svg",
        "Time & size",
        new Plot.Axis("claims (count)", Plot.Scale.LOGARITHMIC),
        new Plot.Axis("time (µs)", Plot.Scale.LINEAR),
        List.of(
            new Plot.Series(
                "claim", List.of(new Plot.Point(1, 0.5, 1, 1.5), new Plot.Point(100, 1.5, 2, 3)))));
  }
}
