package dev.berth.bench.table;

import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.measure.Measure;
import dev.berth.bench.measure.Spread;
import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Plot;
import dev.berth.bench.report.Section;
import dev.berth.bench.table.HopCase.Contender;
import dev.berth.bench.table.TableVolume.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the rates say. */
final class TableFindings {
  private static final double LEAST_OF_BARE = 0.7;
  private static final double LEAST_OF_SMALL = 0.8;

  private static final String ABOUT =
      "Claims of a batch of allocs, and their ends once all are granted, at full speed: the events "
          + "of a batch become readable all at once. The bare hop has the topics, partitions, "
          + "serdes, stores and settings of Berth's application; each record is followed by what "
          + "Berth was seen to do with such a one, the same rows read and the same bytes stored "
          + "and sent, without a decision. It is measured a second time with no row read. Plugins "
          + "answer at once. For the sizes Berth starts without state in a process of its own, on "
          + "changelogs with that many node-only volumes, nearly all of them claimed: the time "
          + "until it runs is that of the restore, and volumes from all over the table live then.";

  private final Map<HopCase, List<Measured<HopRun>>> beside;
  private final Map<Integer, List<Measured<SizeRun>>> sizes;

  TableFindings(
      Map<HopCase, List<Measured<HopRun>>> beside, Map<Integer, List<Measured<SizeRun>>> sizes) {
    this.beside = beside;
    this.sizes = sizes;
  }

  Section section(Map<String, String> settings, Duration took) {
    List<Measure> measures = new ArrayList<>();
    beside.forEach(
        (one, runs) -> {
          measures.add(Measure.of(one + ": rate", "events/s", runs, HopRun::rate));
          measures.add(Measure.of(one + ": claims", "lives/s", runs, HopRun::claimRate));
          measures.add(Measure.of(one + ": ends", "lives/s", runs, HopRun::endRate));
          measures.add(Measure.of(one + ": written", "bytes/event", runs, HopRun::bytesPerEvent));
        });
    sizes.forEach(
        (size, runs) -> {
          String name = volumes(size);
          measures.add(Measure.of(name + ": rate", "events/s", runs, SizeRun::rate));
          measures.add(Measure.of(name + ": heap", "MB", runs, SizeRun::megabytes));
          measures.add(Measure.of(name + ": restore", "s", runs, SizeRun::restoreSeconds));
          measures.add(Measure.of(name + ": restore rate", "rows/s", runs, SizeRun::restoreRate));
        });
    List<Plot> plots =
        List.of(
            ofSizes("table-rate.svg", "Rate by the size of the table", "events/s", SizeRun::rate),
            ofSizes(
                "table-restore.svg",
                "Restore by the size of the table",
                "seconds until it runs",
                SizeRun::restoreSeconds),
            besidePlot());
    return new Section("table", ABOUT, settings, measures, goals(), plots, notes(), took);
  }

  private static String volumes(int size) {
    return String.format(Locale.ROOT, "%,d volumes", size);
  }

  private List<Goal> goals() {
    List<Goal> goals = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      goals.add(
          new Goal(
              kind.words() + ": rate over that of the bare hop",
              Goal.Bound.AT_LEAST,
              LEAST_OF_BARE,
              over(kind, Contender.BARE),
              ""));
    }
    int smallest = Collections.min(sizes.keySet());
    int largest = Collections.max(sizes.keySet());
    goals.add(
        new Goal(
            "rate with %s over that with %s".formatted(volumes(largest), volumes(smallest)),
            Goal.Bound.AT_LEAST,
            LEAST_OF_SMALL,
            spread(largest, SizeRun::rate).median() / spread(smallest, SizeRun::rate).median(),
            ""));
    goals.add(
        new Goal(
            "heap, whatever the size",
            Goal.Bound.AT_MOST,
            OwnJvm.HEAP_MEGABYTES,
            sizes.keySet().stream()
                .mapToDouble(size -> spread(size, SizeRun::megabytes).max())
                .max()
                .orElse(0),
            "MB"));
    return goals;
  }

  /** Berth's rate over that of another. */
  double over(Kind kind, Contender other) {
    return rate(new HopCase(kind, Contender.BERTH)).median()
        / rate(new HopCase(kind, other)).median();
  }

  private Spread rate(HopCase one) {
    return Spread.of(beside.getOrDefault(one, List.of()), HopRun::rate);
  }

  private Spread spread(int size, ToDoubleFunction<SizeRun> of) {
    return Spread.of(sizes.getOrDefault(size, List.of()), of);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s: %.2f of the rate of a bare hop that reads no row, which no decision could do "
                  + "without.",
              kind.words(),
              over(kind, Contender.BARE_WRITES)));
    }
    notes.add(
        "Heap is what a collection leaves after the batches; the process cannot have more than "
            + OwnJvm.HEAP_MEGABYTES
            + " MB at any time. A start looks at every volume once, a thousand of each partition "
            + "in a second: on a large table that goes on beside the batches.");
    return notes;
  }

  private Plot ofSizes(String file, String title, String label, ToDoubleFunction<SizeRun> of) {
    List<Plot.Point> points =
        sizes.keySet().stream()
            .sorted()
            .map(
                size -> {
                  Spread spread = spread(size, of);
                  return new Plot.Point(size, spread.min(), spread.median(), spread.max());
                })
            .toList();
    return new Plot(
        file,
        title,
        new Plot.Axis("volumes (count)", Plot.Scale.LOGARITHMIC),
        new Plot.Axis(label, Plot.Scale.LINEAR),
        List.of(new Plot.Series("node-only volumes", points)));
  }

  private Plot besidePlot() {
    List<Plot.Series> series = new ArrayList<>();
    beside.forEach(
        (one, runs) -> {
          List<Plot.Point> points = new ArrayList<>();
          for (int i = 0; i < runs.size(); i++) {
            double rate = runs.get(i).result().rate();
            points.add(new Plot.Point(i + 1, rate, rate, rate));
          }
          series.add(new Plot.Series(one.toString(), points));
        });
    return new Plot(
        "table-hop.svg",
        "Berth and the bare hop in turn",
        new Plot.Axis("repetition (count)", Plot.Scale.LINEAR),
        new Plot.Axis("events/s", Plot.Scale.LINEAR),
        series);
  }
}
