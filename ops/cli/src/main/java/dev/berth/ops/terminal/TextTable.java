package dev.berth.ops.terminal;

import java.util.ArrayList;
import java.util.List;

/** Rows under a head, in columns as wide as they need to be. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these column heads. */
  public TextTable(String... head) {
    rows.add(List.of(head));
  }

  /** Adds a row with as many cells as the head. */
  public TextTable row(Object... cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(cell.toString());
    }
    if (texts.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(texts + " does not fit under " + rows.get(0));
    }
    rows.add(texts);
    return this;
  }

  /** The lines, the head first, without trailing blanks. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
