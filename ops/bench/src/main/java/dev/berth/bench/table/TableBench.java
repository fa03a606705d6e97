package dev.berth.bench.table;

import dev.berth.bench.Bench;
import dev.berth.bench.machine.LoadMeter;
import dev.berth.bench.measure.Interleaving;
import dev.berth.bench.measure.Interleaving.Measured;
import dev.berth.bench.report.Section;
import dev.berth.bench.table.TableVolume.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The topology at full speed, beside one that decides nothing, and on tables of many sizes. What it
 * does to stores and topics is what costs; decisions and large tables must add little to it.
 */
public final class TableBench implements Bench {
  /**
   * How much it measures.
   *
   * @param beside volumes of each kind in the tables of Berth and the bare hop (count)
   * @param lives lives in a batch beside the bare hop, by kind of volume (counts)
   * @param rounds repetitions beside the bare hop (count)
   * @param sizes volumes of the tables in a process of their own (counts)
   * @param batch lives in a batch on those (count)
   * @param starts repetitions on those (count)
   */
  record Effort(
      int beside,
      Map<Kind, Integer> lives,
      int rounds,
      List<Integer> sizes,
      int batch,
      int starts) {
    static final Effort FULL =
        new Effort(
            20_000,
            Map.of(Kind.NODE_ONLY, 10_000, Kind.CONTROLLER, 2_000),
            5,
            List.of(10_000, 100_000, 1_000_000),
            5_000,
            3);
    static final Effort QUICK =
        new Effort(
            1_000,
            Map.of(Kind.NODE_ONLY, 500, Kind.CONTROLLER, 200),
            1,
            List.of(1_000, 10_000),
            250,
            1);

    Effort {
      lives = Map.copyOf(lives);
      sizes = List.copyOf(sizes);
    }

    int lives(Kind kind) {
      return lives.getOrDefault(kind, 0);
    }
  }

  /** Ready to measure. */
  public TableBench() {}

  @Override
  public String name() {
    return "table";
  }

  @Override
  public Section run(boolean quick, Interleaving.Watch watch) throws Exception {
    Effort effort = quick ? Effort.QUICK : Effort.FULL;
    long began = System.nanoTime();
    LoadMeter load = new LoadMeter();
    Map<HopCase, List<Measured<HopRun>>> beside;
    Map<Integer, List<Measured<SizeRun>>> sizes;
    try (TableBroker broker = new TableBroker()) {
      Footprint nodeOnly;
      try (HopSide side = new HopSide(broker, effort.beside(), effort.lives())) {
        nodeOnly = side.life(Kind.NODE_ONLY);
        // Until what is measured is compiled, on both sides.
        for (HopCase one : HopCase.all()) {
          HopRun unused = side.run(one);
        }
        beside =
            new Interleaving(load, watch).run(HopCase.all(), effort.rounds(), one -> side.run(one));
      }
      Map<Integer, SizedTable> tables = new HashMap<>();
      for (int size : effort.sizes()) {
        tables.put(size, new SizedTable(broker, nodeOnly, size, effort.batch()));
      }
      sizes =
          new Interleaving(load, watch)
              .run(
                  effort.sizes(),
                  effort.starts(),
                  size -> {
                    SizedTable table = tables.get(size);
                    if (table == null) {
                      throw new IllegalStateException("no table of " + size);
                    }
                    return table.run();
                  });
    }
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    return new TableFindings(beside, sizes).section(settings(effort), took);
  }

  private static Map<String, String> settings(Effort effort) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put(
        "repetitions",
        effort.rounds() + " beside the bare hop, " + effort.starts() + " starts on each size");
    settings.put(
        "batch",
        "%,d lives on node-only and %,d on controller volumes among %,d of each beside the bare hop, "
                .formatted(
                    effort.lives(Kind.NODE_ONLY), effort.lives(Kind.CONTROLLER), effort.beside())
            + "%,d on each size; %d events each".formatted(effort.batch(), Events.OF_A_LIFE));
    settings.put("stream threads", Application.THREADS + " for each application");
    settings.put("partitions", "those of the catalogue: 4 for volumes, 12 for plugins");
    settings.put(
        "plugins",
        "%d for node-only volumes, %d with a controller and a lane for each volume"
            .formatted(Kind.NODE_ONLY.plugins().size(), Kind.CONTROLLER.plugins().size()));
    settings.put(
        "processes",
        "beside the bare hop one: broker, registry, both applications (one of them idle) and the "
            + "load; for the sizes Berth has one of its own with "
            + OwnJvm.HEAP_MEGABYTES
            + " MB of heap");
    return settings;
  }
}
