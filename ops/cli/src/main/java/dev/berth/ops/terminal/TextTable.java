package dev.berth.ops.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows under a head, in columns as wide as they need to be. */
public final class TextTable {

  private static final String GAP = "  ";

  /** What is left of a column at least. */
  private static final int NARROWEST = 8;

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
    int[] widths = widths();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  /**
   * The lines, each at most so long: while the table is wider, the widest column loses the middle
   * of its longest cells.
   *
   * @param width columns of the terminal (count)
   */
  public List<String> lines(int width) {
    int[] widths = widths();
    int gaps = GAP.length() * (widths.length - 1);
    for (int total = Arrays.stream(widths).sum() + gaps; total > width; total--) {
      int widest = 0;
      for (int i = 1; i < widths.length; i++) {
        widest = widths[i] > widths[widest] ? i : widest;
      }
      if (widths[widest] <= NARROWEST) {
        break;
      }
      widths[widest]--;
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  /**
   * The lines, each at most so long where words allow it: what stands in the last column goes on
   * under itself, so that nothing of it is lost.
   *
   * @param width columns of the terminal (count)
   */
  public List<String> folded(int width) {
    int[] widths = widths();
    int last = widths.length - 1;
    int before = Arrays.stream(widths).limit(last).sum() + GAP.length() * last;
    widths[last] = Math.min(widths[last], Math.max(NARROWEST, width - before));
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      List<String> parts = words(row.get(last), widths[last]);
      List<String> first = new ArrayList<>(row.subList(0, last));
      first.add(parts.get(0));
      lines.add(whole(first, widths));
      parts.stream().skip(1).forEach(part -> lines.add(" ".repeat(before) + part));
    }
    return lines;
  }

  /** The text in parts that are no longer than that, unless one word is. */
  private static List<String> words(String text, int width) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    for (String word : text.strip().split("\\s+", -1)) {
      if (!part.isEmpty() && part.length() + 1 + word.length() > width) {
        parts.add(part.toString());
        part.setLength(0);
      }
      part.append(part.isEmpty() ? "" : " ").append(word);
    }
    parts.add(part.toString());
    return parts;
  }

  private static String whole(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(cell).append(" ".repeat(Math.max(0, widths[i] - cell.length()))).append(GAP);
    }
    return line.toString().stripTrailing();
  }

  private int[] widths() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** Names differ at their ends more often than in the middle. */
  private static String cut(String cell, int width) {
    if (cell.length() <= width) {
      return cell;
    }
    int tail = (width - 1) / 2;
    return cell.substring(0, width - 1 - tail) + "…" + cell.substring(cell.length() - tail);
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = cut(row.get(i), widths[i]);
      line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
