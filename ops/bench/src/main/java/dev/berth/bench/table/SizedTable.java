package dev.berth.bench.table;

import dev.berth.bench.table.TableVolume.Kind;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table of node-only volumes, most of them claimed for good, and Berth in a process of its own.
 */
final class SizedTable {
  private final TableBroker broker;
  private final Deployment deployment;
  private final int size;
  private final int stride;
  private final long rows;
  private int uses;

  /**
   * Writes the table down.
   *
   * @param life what Berth does in the life of a node-only volume
   * @param size volumes (count)
   * @param batch lives at a time (count), at most half of the volumes; twice as many stay free
   */
  SizedTable(TableBroker broker, Footprint life, int size, int batch) throws InterruptedException {
    this.broker = broker;
    this.size = size;
    this.stride = size / batch;
    deployment = new Deployment(broker.connection("table" + size), List.of(Kind.NODE_ONLY));
    deployment.provision(broker.registry());
    deployment.introduceFleet();
    rows = deployment.fill(life, size, number -> number % stride > 1);
  }

  /** Starts Berth on it, without any state, and lets two batches live, of which one is measured. */
  SizeRun run() {
    try (OwnJvm jvm = new OwnJvm(deployment.connection());
        FullSpeed load = new FullSpeed(deployment.connection(), broker.registry())) {
      uses++;
      // Others than those that are measured: these shall come from the table and not from a cache.
      FullSpeed.Times unused = load.run(batch(0), uses);
      FullSpeed.Times times = load.run(batch(1), uses);
      return new SizeRun(times, rows, jvm.restored(), jvm.heap());
    }
  }

  /** Free volumes from all over the table. */
  private List<TableVolume> batch(int first) {
    return IntStream.range(0, size / stride)
        .mapToObj(i -> new TableVolume(Kind.NODE_ONLY, first + i * stride))
        .toList();
  }
}
