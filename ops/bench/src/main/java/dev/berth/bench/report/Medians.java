package dev.berth.bench.report;

import dev.berth.bench.measure.Measure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures at a glance: of those that are named {@code case: what}, a row for each case and a
 * column for each what.
 *
 * @param head the columns, the first one for the cases
 * @param rows the rows, each as long as the head
 */
record Medians(List<String> head, List<List<String>> rows) {
  private static final String BETWEEN = ": ";

  Medians {
    head = List.copyOf(head);
    rows = rows.stream().map(List::copyOf).toList();
  }

  static Medians of(List<Measure> measures) {
    Map<String, Map<String, String>> cases = new LinkedHashMap<>();
    Set<String> columns = new LinkedHashSet<>();
    for (Measure measure : measures) {
      int colon = measure.name().lastIndexOf(BETWEEN);
      if (colon >= 0) {
        String what = measure.name().substring(colon + BETWEEN.length());
        String column = measure.unit().isEmpty() ? what : what + " (" + measure.unit() + ")";
        columns.add(column);
        cases
            .computeIfAbsent(measure.name().substring(0, colon), unused -> new LinkedHashMap<>())
            .put(column, Numbers.text(measure.spread().median()));
      }
    }
    List<String> head = new ArrayList<>(List.of("median of"));
    head.addAll(columns);
    List<List<String>> rows = new ArrayList<>();
    cases.forEach(
        (name, values) -> {
          List<String> row = new ArrayList<>(List.of(name));
          columns.forEach(column -> row.add(values.getOrDefault(column, "")));
          rows.add(row);
        });
    return new Medians(head, rows);
  }

  /** Whether it says more than the list of measures does. */
  boolean worthShowing() {
    return head.size() > 2 && rows.size() > 1;
  }
}
