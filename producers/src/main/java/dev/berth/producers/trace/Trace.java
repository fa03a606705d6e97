package dev.berth.producers.trace;

import java.nio.file.Path;
import java.util.List;

/**
 * A cluster trace as it was read.
 *
 * @param source what it is, for people: the names of its files
 * @param fingerprint tells its content from any other
 * @param pods pods in the order of their file
 * @param nodes nodes in the order of their file
 */
public record Trace(String source, String fingerprint, List<TracePod> pods, List<TraceNode> nodes) {

  /** Copies its lists. */
  public Trace {
    pods = List.copyOf(pods);
    nodes = List.copyOf(nodes);
  }

  /**
   * Reads a trace.
   *
   * @param pods see {@link TracePods}
   * @param nodes see {@link TraceNodes}
   * @throws TraceFileException naming file, line, column, value and remedy
   */
  public static Trace read(Path pods, Path nodes) {
    return of(CsvFile.at(pods), CsvFile.at(nodes));
  }

  /** The small trace that comes with this library; its README says where it is from. */
  public static Trace sample() {
    return of(CsvFile.resource("sample-pods.csv"), CsvFile.resource("sample-nodes.csv"));
  }

  static Trace of(CsvFile pods, CsvFile nodes) {
    return new Trace(
        pods.name() + " and " + nodes.name(),
        Fingerprint.of(pods.fingerprint(), nodes.fingerprint()),
        TracePods.read(pods),
        TraceNodes.read(nodes));
  }
}
