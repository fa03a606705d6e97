package dev.berth.producers.trace;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the list of a trace's nodes: CSV with the columns {@code sn,cpu_milli,memory_mib}. */
public final class TraceNodes {

  private static final List<String> COLUMNS = List.of("sn", "cpu_milli", "memory_mib");

  private TraceNodes() {}

  /**
   * Reads a file.
   *
   * @return the nodes in the file's order
   * @throws TraceFileException naming file, line, column, value and remedy
   */
  public static List<TraceNode> read(Path file) {
    return read(CsvFile.at(file));
  }

  static List<TraceNode> read(CsvFile file) {
    Set<String> seen = new HashSet<>();
    return file.someRows("node", COLUMNS, row -> node(row, seen));
  }

  private static TraceNode node(CsvFile.Row row, Set<String> seen) {
    String id = TracePods.id(row, "sn");
    if (!seen.add(id)) {
      throw row.wrong("sn", "stands on an earlier line too; name every node once");
    }
    return new TraceNode(id, row.number("cpu_milli"), row.number("memory_mib"));
  }
}
