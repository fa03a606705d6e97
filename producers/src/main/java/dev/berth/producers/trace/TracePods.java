package dev.berth.producers.trace;

import dev.berth.producers.FieldRules;
import dev.berth.producers.InvalidEventException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the list of a trace's pods: CSV with the columns {@code
 * name,cpu_milli,memory_mib,qos,pod_phase,deletion_time,scheduled_time}, times in seconds from the
 * beginning of the trace. A pod without a scheduled time was never placed.
 */
public final class TracePods {

  private static final String SCHEDULED = "scheduled_time";
  private static final String DELETED = "deletion_time";
  private static final List<String> COLUMNS =
      List.of("name", "cpu_milli", "memory_mib", "qos", "pod_phase", DELETED, SCHEDULED);

  private TracePods() {}

  /**
   * Reads a file.
   *
   * @return the pods in the file's order
   * @throws TraceFileException naming file, line, column, value and remedy
   */
  public static List<TracePod> read(Path file) {
    return read(CsvFile.at(file));
  }

  static List<TracePod> read(CsvFile file) {
    Set<String> seen = new HashSet<>();
    return file.someRows("pod", COLUMNS, row -> pod(row, seen));
  }

  /** An id that may become part of a topic key. */
  static String id(CsvFile.Row row, String column) {
    String id = row.required(column);
    try {
      return FieldRules.id(column, id);
    } catch (InvalidEventException e) {
      throw row.wrong(column, e.remedy());
    }
  }

  private static TracePod pod(CsvFile.Row row, Set<String> seen) {
    String name = id(row, "name");
    if (!seen.add(name)) {
      throw row.wrong("name", "stands on an earlier line too; name every pod once");
    }
    Optional<Duration> scheduled = time(row, SCHEDULED);
    Optional<Duration> deleted = time(row, DELETED);
    if (scheduled.isPresent()
        && deleted.isPresent()
        && deleted.get().compareTo(scheduled.get()) < 0) {
      throw row.wrong(
          DELETED,
          "is before the %s %s".formatted(SCHEDULED, row.text(SCHEDULED)) + "; correct one");
    }
    return new TracePod(
        name,
        row.number("cpu_milli"),
        row.number("memory_mib"),
        row.text("qos"),
        row.required("pod_phase"),
        scheduled,
        deleted);
  }

  private static Optional<Duration> time(CsvFile.Row row, String column) {
    return row.text(column).isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(row.number(column)));
  }
}
