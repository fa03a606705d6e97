package dev.berth.ops.view;

import dev.berth.ops.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a list is shown: its columns, those that only a wide table has among them.
 *
 * @param <E> an entry
 */
public final class Columns<E> {

  /** What stands where there is nothing to say. */
  static final String NOTHING = "-";

  private final String plural;
  private final List<Column<E>> columns = new ArrayList<>();

  private record Column<E>(String head, boolean wide, BiFunction<E, Moments, String> cell) {}

  private Columns(String plural) {
    this.plural = plural;
  }

  /** No columns yet, of these things. */
  static <E> Columns<E> of(String plural) {
    return new Columns<>(plural);
  }

  Columns<E> column(String head, Function<E, String> cell) {
    return column(head, (entry, moments) -> cell.apply(entry));
  }

  Columns<E> column(String head, BiFunction<E, Moments, String> cell) {
    columns.add(new Column<>(head, false, cell));
    return this;
  }

  /** A column of wide tables. */
  Columns<E> wide(String head, Function<E, String> cell) {
    return wide(head, (entry, moments) -> cell.apply(entry));
  }

  /** A column of wide tables. */
  Columns<E> wide(String head, BiFunction<E, Moments, String> cell) {
    columns.add(new Column<>(head, true, cell));
    return this;
  }

  /** What the entries are called. */
  public String plural() {
    return plural;
  }

  /**
   * The table.
   *
   * @param wide with all columns
   */
  public TextTable table(List<E> entries, Moments moments, boolean wide) {
    List<Column<E>> shown = columns.stream().filter(c -> wide || !c.wide()).toList();
    TextTable table = new TextTable(shown.stream().map(Column::head).toArray(String[]::new));
    for (E entry : entries) {
      table.row(shown.stream().map(c -> cell(c, entry, moments)).toArray());
    }
    return table;
  }

  private static <E> String cell(Column<E> column, E entry, Moments moments) {
    String text = column.cell().apply(entry, moments);
    // The plugin's words may hold line ends, which would tear the table.
    return text.isEmpty() ? NOTHING : text.replaceAll("\\p{Cntrl}+", " ");
  }
}
